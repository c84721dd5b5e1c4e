"""From an expression that is to be written to the action that opens it: fused tokens first, general ones last."""

from __future__ import annotations

import ast

from .payloads import call_shape, constant_text, dotted_chain
from .spelling import SpellingGrammar, node_name
from .tokens import MOST_COUNTED, MOST_POSITIONAL


class ExpressionActions(SpellingGrammar):
    """The encoder's side of the expression rules."""

    def wanted_expression(self, node: ast.expr) -> int:
        name = node_name(node)
        text = constant_text(node)
        if text is not None:
            value = getattr(node, "value", 0.0)
            if self.vocabulary.ids.get("const:" + text) is not None:
                return self.vocabulary.ids["const:" + text]
            if not isinstance(node, ast.UnaryOp):
                literal = {int: "<int>", float: "<float>", complex: "<imaginary>", str: "<str>"}.get(type(value))
                return self.token(literal or f"{type(value).__name__} literal")
        if isinstance(node, ast.Name):
            token = self.names.token(node.id)
            if token is None:
                raise self.unsupported(f"name {node.id!r} is not defined")
            return token
        if isinstance(node, ast.Attribute):
            chain = dotted_chain(node)
            return self.first_of(*([f"dotted:{chain}"] if chain else []), f"Attribute:{node.attr}", "Attribute")
        if isinstance(node, ast.Call):
            return self._wanted_call(node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return self.token(f"{name}:{node_name(node.op)}")
        if isinstance(node, ast.BoolOp):
            count = len(node.values) if len(node.values) <= 3 else "*"
            return self.token(f"BoolOp:{node_name(node.op)}:{count}")
        if isinstance(node, ast.Compare):
            return self.token("Compare:*" if len(node.ops) > 1 else f"Compare:{node_name(node.ops[0])}")
        if isinstance(node, (ast.Tuple, ast.List)):
            return self.token(f"{name}:{len(node.elts) if len(node.elts) <= MOST_COUNTED else '*'}")
        if isinstance(node, ast.Dict):
            return self.token("Dict:*" if node.keys else "Dict:0")
        if isinstance(node, ast.Set):
            return self.token("Set:*")
        if isinstance(node, ast.Lambda):
            a = node.args
            plain = not (a.posonlyargs or a.vararg or a.kwonlyargs or a.kwarg or a.defaults) and len(a.args) <= 2
            return self.token(f"Lambda:{len(a.args) if plain else '*'}")
        if isinstance(node, ast.Slice):
            parts = (("l", node.lower), ("u", node.upper), ("s", node.step))
            return self.token("Slice:" + "".join("-" if part is None else letter for letter, part in parts))
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            first = node.generators[0]
            shape = ":*" if len(node.generators) > 1 or len(first.ifs) > 1 else ":if" if first.ifs else ""
            return self.token(name + shape)
        return self.token(name)

    def _wanted_call(self, node: ast.Call) -> int:
        ids = self.vocabulary.ids
        shape = call_shape(node)
        if len(node.args) <= MOST_POSITIONAL:
            chain = dotted_chain(node.func)
            if chain == "float" and (fused := ids.get("whole:" + ast.unparse(node))) is not None:
                return fused
            if chain is not None and (fused := ids.get(f"call:{chain}/{shape}")) is not None:
                return fused
            method = getattr(node.func, "attr", None)
            if method is not None and (fused := ids.get(f"method:{method}/{shape}")) is not None:
                return fused
            return self.token(f"Call:{shape}")
        return self.token("Call:*k" if node.keywords else "Call:*")
