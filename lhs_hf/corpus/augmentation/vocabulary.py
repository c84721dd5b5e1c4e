"""What can be said about a decision, task by task: natural score terms, phases, arguments of one kind.

Texts hold `{argument}` for the task's arguments (under whatever names a program gives them), `{x}` for the candidate
being scored, and `{field}` for the parts of a candidate that is a tuple.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A text with how large it is typically, and its standard deviation over the alternatives of a decision."""

    text: str
    size: float
    spread: float


@dataclass(frozen=True)
class Vocabulary:
    """The words of one task.

    `terms` can be added to a score; `phases` split the decisions of an instance in two; `exchangeable` lists groups of
    arguments of the same kind; `fields` name the parts of a candidate tuple or record, `accesses` say how each is read
    off it (`[0]`, `["hours"]`; by place where there are none). `scores` says that the function returns a
    score and not a choice. `measured` are the simple ones of the terms and `shared` what all candidates of a decision
    have in common, where it is known how large they are. `test` holds of candidates that are things, where some are
    nothing: terms have a middle level for these, and `plain` are the terms that are guarded so, measured ones first.
    """

    terms: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    exchangeable: tuple[tuple[str, ...], ...] = ()
    fields: tuple[str, ...] = ()
    scores: bool = False
    measured: tuple[Term, ...] = ()
    shared: tuple[Term, ...] = ()
    accesses: tuple[str, ...] = ()
    test: str = ""
    plain: tuple[str, ...] = ()

    def amounts(self, simple: bool = False) -> list[str]:
        """The terms, or the measured ones, as amounts that add up: nothing comes to 0."""
        if not self.test:
            return [term.text for term in self.measured] if simple else [*self.terms]
        plain = self.plain[: len(self.measured) - 1] if simple else self.plain
        return [f"(1 if {self.test} else 0)", *(f"({text} if {self.test} else 0)" for text in plain)]

    def parts(self, candidate: str) -> Mapping[str, str]:
        """What stands for each field of a candidate that goes by a name."""
        accesses = self.accesses or [f"[{place}]" for place in range(len(self.fields))]
        return {field: f"{candidate}{access}" for field, access in zip(self.fields, accesses)}


VOCABULARIES: dict[str, Vocabulary] = {
    "tsp_construct": Vocabulary(
        terms=(
            "{distance_matrix}[{x}, {destination_node}]",
            "{distance_matrix}[{current_node}, {x}]",
            "{distance_matrix}[{x}].mean()",
            "{distance_matrix}[{x}].max()",
            "{distance_matrix}[{x}][{unvisited_nodes}].mean()",
            "{distance_matrix}[{x}][{unvisited_nodes}].max()",
            "({distance_matrix}[{current_node}, {x}] - {distance_matrix}[{x}, {destination_node}])",
        ),
        phases=(
            "len({unvisited_nodes}) > 10",
            "len({unvisited_nodes}) > 25",
            "len({unvisited_nodes}) % 2 == 0",
            "2 * len({unvisited_nodes}) > len({distance_matrix})",
            "{distance_matrix}[{current_node}, {destination_node}] > 0.5",
        ),
        exchangeable=(("current_node", "destination_node"),),
    ),
    "cvrp_construct": Vocabulary(
        terms=(
            "{distance_matrix}[{x}, {depot}]",
            "{distance_matrix}[{current_node}, {x}]",
            "{demands}[{x}]",
            "{demands}[{x}] / {rest_capacity}",
            "({rest_capacity} - {demands}[{x}])",
            "{distance_matrix}[{x}].mean()",
            "{distance_matrix}[{x}][{unvisited_nodes}].mean()",
            "({distance_matrix}[{current_node}, {x}] - {distance_matrix}[{x}, {depot}])",
        ),
        phases=(
            "len({unvisited_nodes}) > 25",
            "{rest_capacity} > 20",
            "{rest_capacity} > 12",
            "{current_node} == {depot}",
            "{distance_matrix}[{current_node}, {depot}] > 0.4",
        ),
        exchangeable=(("current_node", "depot"),),
    ),
    "vrptw_construct": Vocabulary(
        terms=(
            "{distance_matrix}[{x}, {depot}]",
            "{distance_matrix}[{current_node}, {x}]",
            "{demands}[{x}] / {rest_capacity}",
            "{time_windows}[{x}][0]",
            "{time_windows}[{x}][1]",
            "({time_windows}[{x}][1] - {current_time})",
            "max(0.0, {time_windows}[{x}][0] - {current_time} - {distance_matrix}[{current_node}, {x}])",
        ),
        phases=(
            "len({unvisited_nodes}) > 25",
            "{rest_capacity} > 20",
            "{current_time} < 2.0",
            "{current_node} == {depot}",
        ),
        exchangeable=(("current_node", "depot"),),
    ),
    "jssp_construct": Vocabulary(
        terms=(
            "{time}",
            '{current_status}["machine_status"][{machine}]',
            '{current_status}["job_status"][{job}]',
            'max({current_status}["machine_status"][{machine}], {current_status}["job_status"][{job}])',
            'abs({current_status}["machine_status"][{machine}] - {current_status}["job_status"][{job}])',
            "sum(1 for other in {feasible_operations} if other[1] == {machine})",
            "sum(other[2] for other in {feasible_operations} if other[0] == {job})",
        ),
        phases=(
            "len({feasible_operations}) > 20",
            "len({feasible_operations}) % 2 == 0",
            'max({current_status}["machine_status"]) < 2000',
            'max({current_status}["machine_status"]) - min({current_status}["machine_status"]) > 100',
        ),
        fields=("job", "machine", "time"),
    ),
    "knapsack_construct": Vocabulary(
        terms=(
            "{value}",
            "{weight}",
            "{value} / {weight}",
            "({remaining_capacity} - {weight})",
            "{weight} / {remaining_capacity}",
            "{remaining_capacity} % {weight}",
        ),
        phases=(
            "{remaining_capacity} > 50",
            "{remaining_capacity} > 25",
            "len({remaining_items}) > 45",
            "len({remaining_items}) % 2 == 0",
        ),
        fields=("weight", "value", "index"),
    ),
    "online_bin_packing": Vocabulary(
        terms=(
            "({x} - {item})",
            "({x} - {item}) ** 2",
            "({x} % {item})",
            "({x} == {item})",
            "{item} / {x}",
            "({x} - {item} > 10)",
            "({x} < 100)",
        ),
        phases=("{item} > 40", "{item} > 25", "{item} > 55", "len({bins}) % 2 == 0"),
        scores=True,
    ),
    "qap_construct": Vocabulary(
        terms=(
            "sum({flow_matrix}[{x}])",
            "sum({distance_matrix}[{x}])",
            "max({flow_matrix}[{x}])",
            "max({distance_matrix}[{x}])",
            "min({distance_matrix}[{x}])",
        ),
        phases=(
            "sum(1 for place in {current_assignment} if place == -1) > 25",
            "sum(1 for place in {current_assignment} if place == -1) > 40",
            "sum(1 for place in {current_assignment} if place == -1) % 2 == 0",
        ),
        exchangeable=(("flow_matrix", "distance_matrix"),),
    ),
    "cflp_construct": Vocabulary(
        terms=(
            "{customer_demands}[{x}]",
            "min(line[{x}] for line in {assignment_costs})",
            "{remaining_capacities}[{x}]",
            "len({assignments}[{x}])",
            "sum({assignment_costs}[{x}])",
            "min({assignment_costs}[{x}])",
        ),
        phases=(
            "len({remaining_customers}) > 25",
            "len({remaining_customers}) > 10",
            "len({remaining_customers}) % 2 == 0",
            "max({remaining_capacities}) > 60",
        ),
        exchangeable=(("remaining_capacities", "customer_demands"),),
    ),
    "set_cover_construct": Vocabulary(
        terms=(
            "len({x})",
            "sum({x})",
            "max({x})",
            "len(set({x}) & set({remaining_elements}))",
            "len(set({x}) - set({remaining_elements}))",
            "sum(1 for other in {remaining_subsets} if set(other) & set({x}))",
        ),
        phases=(
            "len({remaining_elements}) > 20",
            "len({remaining_elements}) > 8",
            "len({selected_subsets}) < 5",
            "len({remaining_subsets}) % 2 == 0",
        ),
    ),
    "admissible_set": Vocabulary(
        terms=(
            "{el}.count(1)",
            "{el}.count(2)",
            "sum({el})",
            "sum({el}[:{n} // 2])",
            "{el}[0]",
            "{el}[-1]",
            "sum(1 for a, b in zip({el}, {el}[1:]) if a == b)",
            "sum(i * digit for i, digit in enumerate({el}))",
        ),
        phases=("{el}[0] == 0", "sum({el}) > {w}", "{el}.count(2) > {el}.count(1)", "{el}[-1] == 0"),
        scores=True,
    ),
}
