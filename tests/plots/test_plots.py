"""Pictures draw what solutions and searches say, in both themes and at all widths."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Solution
from lhs_hf.evaluation.rollout import load
from lhs_hf.plots import (
    THEMES,
    alt_text,
    convergence_alt_text,
    convergence_figure,
    fit_plane,
    latent_path_alt_text,
    plot_comparison,
    plot_convergence,
    plot_latent_path,
    plot_solution,
)
from lhs_hf.tasks import Infeasible, get_task, task_names
from lhs_hf.tasks.admissible_set import greedy_words

LIGHT = THEMES["light"]


@cache
def solved(name: str, index: int = 0) -> Solution:
    """What the reference does with a practice instance."""
    task = get_task(name)
    instance = task.practice_instances[index]
    array = task.rollout(load(task, task.template), instance)
    return Solution(name, "practice", index, instance, array, task.objective(instance, array))


def drawn(name: str):
    solution = solved(name)
    return solution.instance, solution.array, plot_solution(name, solution.instance, solution.array)


def lines_called(axes, label: str):
    return [line for line in axes.lines if str(line.get_label()).startswith(label)]


def area(patches) -> float:
    return float(sum(patch.get_width() * patch.get_height() for patch in patches))


def test_the_tour_is_one_closed_line_of_its_length() -> None:
    _, _, axes = drawn("tsp_construct")
    [line] = lines_called(axes, "tour")
    points = line.get_xydata()
    assert len(points) == 51
    np.testing.assert_array_equal(points[0], points[-1])
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    assert length == pytest.approx(solved("tsp_construct").objective)


@pytest.mark.parametrize("name", ["cvrp_construct", "vrptw_construct"])
def test_every_trip_is_a_line_and_all_of_them_are_as_long_as_the_objective(name) -> None:
    instance, array, axes = drawn(name)
    on_map = axes if name == "cvrp_construct" else axes.child_axes[0]
    trips = lines_called(on_map, "trip")
    groups = "".join("0" if node == 0 else "x" for node in array).split("0")
    assert len(trips) == sum(bool(group) for group in groups) > 1
    lengths = [np.linalg.norm(np.diff(line.get_xydata(), axis=0), axis=1).sum() for line in trips]
    assert sum(lengths) == pytest.approx(solved(name).objective)
    assert all((line.get_xydata()[0] == instance.coordinates[0]).all() for line in trips)


def test_time_windows_are_all_drawn_and_every_service_starts_in_its_own() -> None:
    instance, _, axes = drawn("vrptw_construct")
    chart = axes.child_axes[1]
    windows = [line.get_xdata() for line in chart.lines if line.get_alpha() == 0.38]
    starts = [float(np.ravel(line.get_xdata())[0]) for line in chart.lines if line.get_marker() == "o"]
    assert len(windows) == len(starts) == instance.served
    expected = instance.windows[1 : instance.served + 1]
    np.testing.assert_allclose(np.sort(windows, axis=0), np.sort(expected, axis=0))
    assert all(opening <= start <= closing for (opening, closing), start in zip(windows, starts))


def test_the_gantt_chart_holds_all_work_and_ends_at_the_makespan() -> None:
    instance, _, axes = drawn("jssp_construct")
    bars = [path.get_extents() for rows in axes.collections for path in rows.get_paths()]
    assert len(bars) == instance.times.size
    assert sum(bar.width for bar in bars) == pytest.approx(instance.times.sum())
    assert max(bar.x1 for bar in bars) == pytest.approx(solved("jssp_construct").objective)
    for machine in range(instance.times.shape[1]):
        row = sorted((bar.x0, bar.x1) for bar in bars if round((bar.y0 + bar.y1) / 2) == machine)
        assert all(before[1] <= after[0] + 1e-6 for before, after in pairwise(row))


def test_the_area_in_the_knapsack_is_its_value_and_its_width_the_weight() -> None:
    instance, _, axes = drawn("knapsack_construct")
    blocks = axes.child_axes[0].containers
    patches = [patch for container in blocks for patch in container]
    assert area(patches) == pytest.approx(solved("knapsack_construct").objective)
    assert sum(patch.get_width() for patch in patches) <= instance.capacity
    left, packed = axes.child_axes[1].collections
    assert len(packed.get_offsets()) == len(patches)
    assert len(left.get_offsets()) + len(patches) == len(instance.items)


def test_filled_and_lost_room_of_the_bins_add_up() -> None:
    instance, _, axes = drawn("online_bin_packing")
    filled, lost = axes.child_axes[0].patches
    bins = int(solved("online_bin_packing").objective)
    assert filled.get_data().values.sum() == instance.sum()
    assert len(filled.get_data().values) == bins
    assert (lost.get_data().values - lost.get_data().baseline).sum() == 100 * bins - instance.sum()
    assert f"{bins} bins" in axes.child_axes[0].get_xlabel()


def test_the_assignment_matrix_has_one_mark_in_each_row_and_column() -> None:
    _, _, axes = drawn("qap_construct")
    [marks] = [each for each in axes.collections if len(each.get_offsets()) > 1 and each.get_array() is not None]
    offsets = np.asarray(marks.get_offsets())
    for side in offsets.T:
        np.testing.assert_array_equal(np.sort(side), np.arange(50))
    assert marks.get_array().sum() == pytest.approx(solved("qap_construct").objective)


def test_blocks_of_customers_are_as_high_as_the_demand_and_stay_within_capacities() -> None:
    instance, _, axes = drawn("cflp_construct")
    capacities, *columns = axes.containers
    assert [bar.get_height() for bar in capacities] == sorted(instance.capacities.tolist(), reverse=True)
    blocks = [patch for column in columns for patch in column]
    assert len(blocks) == len(instance.demands)
    assert sum(block.get_height() for block in blocks) == instance.demands.sum()
    for capacity, column in zip(capacities, columns):
        assert max((b.get_y() + b.get_height() for b in column), default=0) <= capacity.get_height()


def test_each_element_is_covered_first_once() -> None:
    instance, array, axes = drawn("set_cover_construct")
    first, again = axes.containers
    centres = [round(bar.get_x() + bar.get_width() / 2) + 1 for bar in first]
    assert sorted(centres) == sorted(set().union(*instance))
    assert len(first) + len(again) == sum(len(instance[index]) for index in array)
    assert len(axes.get_yticks()) == solved("set_cover_construct").objective


def test_the_words_of_the_admissible_set_and_their_vectors_are_drawn() -> None:
    instance, array, axes = drawn("admissible_set")
    digits, vectors = axes.child_axes
    np.testing.assert_array_equal(digits.images[0].get_array(), greedy_words(*instance, array)[0])
    totals = vectors.patches[0].get_data().values
    assert totals[-1] == comb(*instance) + solved("admissible_set").objective
    assert (np.diff(totals) > 0).all()


@pytest.mark.parametrize("name", task_names())
def test_empty_and_infeasible_solutions_are_refused_in_words(name) -> None:
    solution = solved(name)
    with pytest.raises(Infeasible, match=f"the solution of {name} is empty"):
        plot_solution(name, solution.instance, solution.array[:0])
    with pytest.raises(Infeasible, match=f"not a feasible solution of {name}: .+"):
        plot_solution(name, solution.instance, np.repeat(solution.array, 3))
    with pytest.raises(Infeasible, match="has dtype"):
        plot_solution(name, solution.instance, solution.array.astype(np.float32))


@pytest.mark.parametrize("name", task_names())
def test_found_beside_reference_says_its_numbers(name) -> None:
    solution = solved(name)
    figure = plot_comparison(name, solution, solution, theme="dark", width=1600)
    left, right = figure.axes[:2]
    shown = f"{solution.objective:,.3f}" if solution.objective % 1 else f"{solution.objective:,.0f}"
    if name == "admissible_set":
        shown = f"{comb(*solution.instance) + solution.objective:,.0f} of at most {comb(*solution.instance):,} vectors"
    assert shown in left.get_title("left")
    assert "as good as the reference" in left.get_title("left")
    assert right.get_title("left").startswith("Reference: ")
    assert shown in right.get_title("left")
    text = alt_text(name, solution, solution)
    assert text.count(shown) >= 2
    assert get_task(name).title in text
    assert "instance 0" in text
    assert not re.search(r"nan|None|\[", text)


@pytest.mark.parametrize(("width", "columns"), [(1000, 3), (420, 1)])
def test_the_best_known_stands_between_found_and_reference(width, columns) -> None:
    task = get_task("jssp_construct")
    known = solved("jssp_construct")
    machines_first = np.array([(job, machine) for machine in range(10) for job in range(50)]).ravel()
    value = task.objective(known.instance, machines_first)
    found = Solution(task.name, known.split, known.index, known.instance, machines_first, value)
    figure = plot_comparison(task, found, found, known, width=width)
    titles = [axes.get_title("left") for axes in figure.axes[:3]]
    assert [title.partition(":")[0] for title in titles] == ["Found", "Best known", "Reference"]
    assert "as good as the reference" in titles[0]
    words = "better" if value < known.objective else "worse"
    assert f"{words} than the best known" in titles[0].replace("\n", " ")
    assert figure.axes[0].get_subplotspec().get_gridspec().ncols == columns
    text = alt_text(task, found, found, known)
    assert text.index("Found: ") < text.index("Best known: ") < text.index("Reference: ")
    with pytest.raises(CallError, match="of one instance"):
        alt_text(task, found, found, replace(known, index=1))


def test_the_better_solution_is_called_better_by_its_share_and_scales_are_shared() -> None:
    solution = solved("jssp_construct")
    machines_first = np.array([(job, machine) for machine in range(10) for job in range(50)]).ravel()
    task = get_task("jssp_construct")
    other = Solution(
        task.name, "practice", 0, solution.instance, machines_first, task.objective(solution.instance, machines_first)
    )
    assert other.objective != solution.objective
    best, worst = sorted((solution, other), key=lambda each: each.objective)
    share = 100 * (worst.objective - best.objective) / worst.objective
    figure = plot_comparison(task, best, worst)
    left, right = figure.axes[:2]
    assert f"{share:.2f} % better than the reference" in left.get_title("left")
    assert "from the bound" in right.get_title("left")
    assert left.get_xlim() == right.get_xlim()
    assert left.get_xlim()[1] > worst.objective
    turned = plot_comparison(task, worst, best).axes[0].get_title("left")
    assert "% worse than the reference" in turned


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_pictures_have_the_width_and_the_background_asked_for(theme, width) -> None:
    solution = solved("set_cover_construct")
    figure = plot_comparison("set_cover_construct", solution, solution, theme=theme, width=width)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    assert pixels.shape[1] == width
    np.testing.assert_allclose(pixels[0, -1] / 255, to_rgba(THEMES[theme].background), atol=0.01)
    upper, lower = (axes.get_position() for axes in figure.axes[:2])
    assert (upper.y0 > lower.y1) == (width == 360)
    # Nothing is cut off: the outermost pixels belong to the background.
    for edge in (pixels[:, 0], pixels[:, -1], pixels[0], pixels[-1]):
        assert (edge == pixels[0, -1]).all()


def test_a_transparent_picture_has_no_background() -> None:
    solution = solved("tsp_construct")
    figure = plot_comparison("tsp_construct", solution, solution, transparent=True, width=400)
    figure.canvas.draw()
    assert np.asarray(figure.canvas.buffer_rgba())[0, -1, 3] == 0


def contrast(one: str, other: str) -> float:
    """The contrast ratio of the Web Content Accessibility Guidelines."""

    def luminance(colour: str) -> float:
        channels = np.array(to_rgba(colour)[:3])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(linear @ (0.2126, 0.7152, 0.0722))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_and_marks_stand_out_from_the_background(theme) -> None:
    for colour in (theme.text, theme.muted, theme.found, theme.reference, theme.corpus):
        assert contrast(colour, theme.background) >= 4.5
    for colour in theme.cycle:
        assert contrast(colour, theme.background) >= 2.3
    assert len(set(theme.cycle)) == len(theme.cycle)


def test_wrong_calls_name_what_there_is() -> None:
    solution, other = solved("tsp_construct"), solved("tsp_construct", 1)
    with pytest.raises(CallError, match=r"unknown theme 'dusk'.*light, dark"):
        plot_solution("tsp_construct", solution.instance, solution.array, theme="dusk")
    with pytest.raises(CallError, match="width must be 320 to 4000 pixels, got 20"):
        plot_comparison("tsp_construct", solution, solution, width=20)
    with pytest.raises(CallError, match="instance 0 of practice and instance 1 of practice"):
        plot_comparison("tsp_construct", solution, other)
    with pytest.raises(CallError, match="expected a solution of cvrp_construct, got one of tsp_construct"):
        alt_text("cvrp_construct", solution)


def test_the_convergence_curve_shows_history_and_lines(tmp_path) -> None:
    history = [float("nan"), 7.0, 6.5, 6.5]
    axes = plot_convergence({"found": history}, reference=6.8, corpus=5.9, bound=5.6)
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), history)
    heights = {float(np.ravel(line.get_ydata())[0]) for line in axes.lines if line.get_linestyle() != "-"}
    assert {6.8, 5.9, 5.6} <= heights
    far = plot_convergence({"found": history}, reference=6.8, bound=0.1)
    assert far.get_ylim()[0] > 5
    flat = plot_convergence({"found": [234.25] * 9}, reference=234.25, corpus=239.2)
    assert 233 < flat.get_ylim()[0] < 234.25
    assert 239.2 < flat.get_ylim()[1] < 240
    assert any("off the scale" in str(line.get_label()) for line in far.lines)
    text = convergence_alt_text(history, reference=6.8)
    assert "after 4 decoder calls the best objective is 6.5, reached at call 3" in text
    assert "reference 6.8" in text
    assert "no valid program" in convergence_alt_text([])
    for name in ("a.png", "b.png"):
        convergence_figure(tmp_path / name, {"found": history}, title="t", ylabel="y", theme="dark")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_latent_path_is_drawn_in_the_plane_of_the_corpus() -> None:
    generator = np.random.default_rng(0)
    corpus = generator.normal(size=(200, 6)) * [5, 3, 1, 0.1, 0.1, 0.1]
    scores = corpus[:, 0]
    plane = fit_plane(corpus)
    assert plane.shares[0] > plane.shares[1] > 0.1
    np.testing.assert_allclose(plane.directions @ plane.directions.T, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(np.cov(plane.project(corpus).T)[0, 1], 0, atol=1e-9)
    path = np.linspace(0, 1, 5)[:, None] * np.ones(6)
    children = path[-1] + generator.normal(size=(4, 6))
    child_scores = np.array([1.0, np.nan, 20.0, np.nan])
    axes = plot_latent_path(
        corpus, scores, path=path, children=children, child_scores=child_scores, plane=plane, theme="dark", width=360
    )
    [line] = lines_called(axes, "path")
    np.testing.assert_allclose(line.get_xydata(), plane.project(path))
    by_label = {each.get_label(): each for each in axes.collections}
    assert len(by_label["corpus"].get_offsets()) == 200
    np.testing.assert_allclose(by_label["children"].get_offsets(), plane.project(children[[0, 2]]))
    np.testing.assert_allclose(by_label["failed"].get_offsets(), plane.project(children[[1, 3]]))
    text = latent_path_alt_text(scores, path=path, child_scores=child_scores)
    assert "2 of 4 decoded children are valid, the best scores 20 (100% of the corpus score less)" in text
    assert "0 of 1 decoded children are valid." in latent_path_alt_text(scores, child_scores=np.array([np.nan]))


def test_arrays_that_do_not_fit_are_refused() -> None:
    corpus = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(CallError, match="one score for each corpus point"):
        plot_latent_path(corpus, np.zeros(4))
    with pytest.raises(CallError, match="one score for each of 2 children"):
        plot_latent_path(corpus, np.zeros(5), children=corpus[:2], child_scores=np.zeros(3))
    with pytest.raises(CallError, match="must have 3 dimensions, got 4"):
        plot_latent_path(corpus, np.zeros(5), path=np.zeros((2, 4)))
    with pytest.raises(CallError, match="at least 2 points"):
        fit_plane(corpus[:1])
