"""Seed programs for `block_relocation`: one complete program a cell, named after its idea."""


# %% tallest_stack
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Pile up: the stack with the most blocks."""
    return max(open_stacks, key=lambda place: len(stacks[place]))


# %% random_stack
import random


def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Any stack with room, seeded with the block and the one that is wanted."""
    return random.Random(1000 * block + wanted).choice(open_stacks)


# %% soonest_stack
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Perverse: onto the block that is needed soonest of all."""
    return min(open_stacks, key=lambda place: min(stacks[place], default=10**6))


# %% nearest_stack
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The neighbour of the source, or the nearest stack with room."""
    return min(open_stacks, key=lambda place: abs(place - source))


# %% lowest_stack
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The stack with the fewest blocks."""
    best = open_stacks[0]
    for place in open_stacks[1:]:
        if len(stacks[place]) < len(stacks[best]):
            best = place
    return best


# %% latest_minimum
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The stack whose first block to leave leaves last; an empty one is best."""
    return max(open_stacks, key=lambda place: min(stacks[place], default=10**6))


# %% fewest_earlier_below
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Count the blocks of a stack that leave before this one; fewest wins, the lower stack on ties."""

    def hindered(place):
        return sum(1 for other in stacks[place] if other < block), len(stacks[place])

    return min(open_stacks, key=hindered)


# %% latest_top
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Only tops are looked at: the closest top that leaves later, or else the latest top."""
    later = [(stacks[p][-1], p) for p in open_stacks if stacks[p] and stacks[p][-1] > block]
    empty = [p for p in open_stacks if not stacks[p]]
    if later:
        return min(later)[1]
    if empty:
        return empty[0]
    return max((stacks[p][-1], p) for p in open_stacks)[1]


# %% min_max
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Smallest minimum above the block, so that it fits tightly; if none is above, the largest minimum."""
    lows = {place: min(stacks[place], default=10**6) for place in open_stacks}
    fitting = [place for place in open_stacks if lows[place] > block]
    if fitting:
        return min(fitting, key=lows.get)
    return max(open_stacks, key=lows.get)


# %% min_max_low_stacks
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The tight fit; where nothing fits, a late minimum is weighed against the blocks that would lie below."""
    fitting, others = [], []
    for place in open_stacks:
        low = min(stacks[place], default=10**6)
        if low > block:
            fitting.append((low, place))
        else:
            others.append((3 * len(stacks[place]) - low, place))
    return min(fitting)[1] if fitting else min(others)[1]


# %% mean_of_stack
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """The stack whose blocks leave latest on average, less a bit for each block on it."""
    best, best_value = None, -1e9
    for place in open_stacks:
        stack = stacks[place]
        mean = sum(stack) / len(stack) if stack else 2 * block + 10
        value = mean - 0.8 * len(stack)
        if value > best_value:
            best, best_value = place, value
    return best


# %% weighted_terms
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Being in the way costs five and more the sooner it happens; a loose fit and a full stack cost a little."""

    def cost(place):
        stack = stacks[place]
        if not stack:
            return 2.0
        low = min(stack)
        if low > block:
            return 0.15 * (low - block) + 0.2 * len(stack)
        return 5 + 0.3 * (block - low) + 0.5 * (len(stack) + 1 == height)

    return min(open_stacks, key=cost)


# %% plan_for_two_blocks
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Places for this block and the next one of the pile together: misfits first, then how loosely both lie."""
    pile = stacks[source]
    follower = pile[-2] if pile[-2] != wanted else None

    def misfit(item, low):
        return 0.02 * min(low - item, 60) if low > item else 2 + 1 / (1 + low - wanted)

    def cost(place):
        total = misfit(block, min(stacks[place], default=10**3))
        if follower is None:
            return total
        seconds = []
        for other in open_stacks:
            low = min(stacks[other] + ([block] if other == place else []), default=10**3)
            if len(stacks[other]) + (other == place) < height:
                seconds.append(misfit(follower, low))
        return total + min(seconds, default=4)

    return min(open_stacks, key=cost)


# %% least_bad_pairs_after_clearing
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Put the rest above the wanted block away by tight fit as well; fewest pairs in the wrong order win."""

    def in_the_way(piles):
        return sum(over > under for pile in piles for k, over in enumerate(pile) for under in pile[:k])

    def result(place):
        piles = [list(pile) for pile in stacks]
        piles[place].append(piles[source].pop())
        while piles[source] and piles[source][-1] != wanted:
            item = piles[source].pop()
            room = [(min(p, default=10**6), k) for k, p in enumerate(piles) if k != source and len(p) < height]
            fits = [pair for pair in room if pair[0] > item]
            piles[(min(fits) if fits else max(room))[1]].append(item)
        low = min(stacks[place], default=10**6)
        return in_the_way(piles), low if low > block else 10**7 - low

    return min(open_stacks, key=result)


# %% rollout_min_max
def choose_stack(stacks, open_stacks, source, block, wanted, height):
    """Finish the whole retrieval by tight fits after each choice and take the choice with the fewest moves."""

    def moves_after(place):
        piles = [list(pile) for pile in stacks]
        piles[place].append(piles[source].pop())
        total = sum(len(pile) for pile in piles)
        moves = 0
        for target in range(wanted, wanted + total):
            here = next(k for k, pile in enumerate(piles) if target in pile)
            while piles[here][-1] != target:
                item = piles[here].pop()
                room = [(min(p, default=10**6), k) for k, p in enumerate(piles) if k != here and len(p) < height]
                if not room:
                    return 10**6, 0
                fits = [pair for pair in room if pair[0] > item]
                piles[(min(fits) if fits else max(room))[1]].append(item)
                moves += 1
            piles[here].pop()
        low = min(stacks[place], default=10**6)
        return moves, low if low > block else 10**7 - low

    return min(open_stacks, key=moves_after)
