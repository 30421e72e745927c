from my_ops import enclosed, majority


def solve_most_holes(I):
    x = objects(I, T, T, T)
    y = argmax(x, enclosed)
    return subgrid(y, I)


def solve_coloured_by_holes(I):
    x = objects(I, T, T, T)
    y = fork(recolor, compose(increment, enclosed), identity)
    return paint(I, mapply(y, x))


def solve_quiet(I):
    return majority(majority(I))


def solve_mirror(I):
    return vmirror(I)
