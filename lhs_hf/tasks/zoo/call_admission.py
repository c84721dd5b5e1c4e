"""Call admission in a ring network: requests for circuits come one by one and are admitted or refused for good."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class CallAdmission(SimpleTask):
    """Solution: 1 for each request that is admitted, 0 for the others. The objective is the sum of admitted fees.

    An admitted call holds one circuit on each link of its route from its arrival until its duration is over. A request
    with a link on which no circuit is free is refused without a call of the program.
    """

    name = "call_admission"
    title = "Call admission in a network, online"
    sense = "max"
    problem_class = "packing"
    description = (
        "Return 1 to admit `request` and 0 to refuse it; both are final. It is a dictionary: from minute `arrival` on "
        "somebody wants one circuit on each link of the list `route` for `duration` minutes and pays `fee` for it. "
        "`circuits` maps each link of the network to the number of its circuits, `busy` to a list, ascending: in how "
        "many minutes each of its busy circuits is free again; every link of the route has a free one now. `earlier` "
        "lists all requests before, refused ones too, as such dictionaries. Later ones are unknown; the sum of the "
        "fees of admitted requests is to be large."
    )
    template = '''\
def admit(request, circuits, busy, earlier):
    """Admit whatever fits."""
    return 1
'''
    splits = make_splits(
        search={"count": 16, "links": 8, "requests": 80, "calls": 60},
        test={"count": 32, "links": 8, "requests": 80, "calls": 60},
        holdout={"count": 32, "links": 12, "requests": 120, "calls": 90},
    )
    probe_parameters = {"links": 6, "requests": 40}  # noqa: RUF012

    def draw(self, random, links, requests):
        """Circuits of the links of a ring, and the requests as programs see them, with Python ints.

        Fees go by links and minutes, by minutes or by neither. Later requests pay more and come faster.
        """
        arrival, drawn = 0, []
        for number in range(requests):
            late = number >= requests // 3
            arrival += int(random.randint(1, 4) if late else random.randint(2, 8))
            hops, start = int(random.randint(1, links // 2 + 1)), int(random.choice([0, 1, links // 2, *range(links)]))
            duration = int(random.randint(40, 121) if random.rand() < 0.4 else random.randint(8, 31))
            size = (hops * duration, 2 * duration, 60)[random.randint(3)]
            fee = 1 + size * int(random.randint(5, 21) * random.choice([1, 1, 4])) * (3 if late else 2) // 100
            route = [(start + step) % links for step in range(hops)]
            drawn.append({"arrival": arrival, "route": route, "duration": duration, "fee": fee})
        return {"circuits": random.randint(2, 5, links), "requests": drawn}

    def alternatives(self, request, circuits, busy, earlier):
        """Refuse, admit."""
        return [0, 1]

    def construct(self, program, instance):
        """One call a request that fits; the program sees copies with Python ints."""
        circuits, requests = instance["circuits"].tolist(), instance["requests"]
        ends, admitted = [[] for _ in circuits], []
        for number, request in enumerate(requests):
            now, route, answer = request["arrival"], request["route"], 0
            ends = [sorted(end for end in each if end > now) for each in ends]
            if all(len(ends[link]) < circuits[link] for link in route):
                busy = {link: [end - now for end in each] for link, each in enumerate(ends)}
                *earlier, shown = ({**each, "route": list(each["route"])} for each in requests[: number + 1])
                answer = self.ask(program, shown, dict(enumerate(circuits)), busy, earlier)
            for link in route if answer else ():
                ends[link].append(now + request["duration"])
            admitted.append(answer)
        return admitted

    def objective(self, instance, solution):
        """Sum of the fees. Raises `Infeasible` if a link carries more calls than it has circuits."""
        circuits, requests = instance["circuits"].tolist(), instance["requests"]
        ends, fees = [[] for _ in circuits], 0
        for number, answer in enumerate(check_ids(solution, len(requests), 2)):
            request = requests[number]
            for link in request["route"] if answer else ():
                if sum(end > request["arrival"] for end in ends[link]) == circuits[link]:
                    raise Infeasible(f"request {number} is admitted, but no circuit of link {link} is free")
                ends[link].append(request["arrival"] + request["duration"])
            fees += answer * request["fee"]
        return float(fees)

    def probe_features(self, choices, arguments):
        """What admitting is worth against the requests before, and the room that it takes; refusing has none of it."""
        request, earlier = arguments["request"], arguments["earlier"]
        density, seen = _density(request), sorted(map(_density, earlier)) or [0.0]
        free = [arguments["circuits"][link] - len(arguments["busy"][link]) for link in request["route"]]
        bars = (sum(seen) / len(seen), seen[len(seen) // 2], seen[3 * len(seen) // 4])
        usual_fee = sum(each["fee"] for each in earlier) / max(1, len(earlier))
        room = (min(free) - 1.5, 20 - request["duration"], 2.5 - len(request["route"]))
        return np.outer(choices, [1, *(density - bar for bar in bars), request["fee"] - usual_fee, *room])


def _density(request):
    return request["fee"] / (len(request["route"]) * request["duration"])


TASK = CallAdmission()
