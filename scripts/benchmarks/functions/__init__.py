"""Thirty objective functions as different people write them, each with a first program of theirs.

Every module stands alone: an objective is handed to other processes with what its own module holds, and with nothing of
this package's other modules.
"""

from __future__ import annotations

from collections.abc import Callable

from .arrangements import class_groups, keyboard_layout, wind_farm
from .computing import gpu_placement, instruction_scheduling, join_order, register_spilling
from .dispatch import ambulance_dispatch, callback_queue, load_balancer, traffic_light
from .games import merge_game, word_guess
from .laboratory import blood_bank, genome_assembly, kidney_pairs, probe_panel
from .made import Made
from .scheduling import exam_timetable, foundry_slots, nurse_roster, print_farm
from .trading import ad_bidding, asking_price, battery_trading, hotel_booking, spare_parts
from .warehouse import container_yard, order_batching, picking_route, van_routes

FUNCTIONS: dict[str, Callable[[], Made]] = {
    function.__name__: function
    for function in (
        ambulance_dispatch,
        load_balancer,
        callback_queue,
        traffic_light,
        exam_timetable,
        nurse_roster,
        foundry_slots,
        print_farm,
        register_spilling,
        instruction_scheduling,
        join_order,
        gpu_placement,
        battery_trading,
        ad_bidding,
        hotel_booking,
        asking_price,
        spare_parts,
        genome_assembly,
        probe_panel,
        kidney_pairs,
        blood_bank,
        picking_route,
        order_batching,
        container_yard,
        van_routes,
        merge_game,
        word_guess,
        class_groups,
        keyboard_layout,
        wind_farm,
    )
}
"""Name of a task -> what makes its objective, the template and the sense."""
