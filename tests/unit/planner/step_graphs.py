"""Small graphs of training steps, drawn by hand, for tests of the liveness walk."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from gpuconfig_app.core.step_graph import StepGraph, StepOperation, StepVariable, VariableRole

KILO = 1024


class Sketch:
    """A graph that is drawn operation by operation; a tensor is named by its number."""

    def __init__(self, batch: int = 1) -> None:
        self.batch = batch
        self.operations: list[StepOperation] = []
        self.sizes: list[int] = []
        self.variables: list[StepVariable] = []
        self.data_bytes: list[int] = []
        self._handles: list[int] = []

    def add(
        self,
        kind: str,
        inputs: Sequence[int] = (),
        *sizes: int,
        types: Sequence[str] = (),
        controls: Sequence[int] = (),
        backward: bool = False,
        view: bool = False,
        variable: int | None = None,
    ) -> int:
        """Draw an operation; gives its first output."""
        first = len(self.sizes)
        self.sizes += sizes
        self.operations.append(
            StepOperation(
                kind=kind,
                inputs=tuple(inputs),
                controls=tuple(controls),
                outputs=tuple(range(first, first + len(sizes))),
                types=tuple(types) or ("float32",) * len(sizes),
                is_backward=backward,
                is_view=view,
                variable=variable,
            )
        )
        return first

    @property
    def last(self) -> int:
        """Number of the operation drawn last."""
        return len(self.operations) - 1

    def data(self, size: int) -> int:
        """An input of the batch."""
        self.data_bytes.append(size)
        return self.add("_Arg", [], size)

    def variable(self, size: int, role: VariableRole = VariableRole.TRAINABLE) -> int:
        """A variable; gives its handle."""
        self.variables.append(StepVariable(f"v{len(self.variables)}", role, size))
        return self.add("_Arg", [], 0, types=["resource"], variable=len(self.variables) - 1)

    def read(self, handle: int) -> int:
        """The value of a variable."""
        place = next(item.variable for item in self.operations if item.outputs == (handle,))
        assert place is not None
        return self.add("ReadVariableOp", [handle], self.variables[place].size_bytes)

    def assign_sub(self, handle: int, value: int) -> None:
        """An update in place."""
        self.add("AssignSubVariableOp", [handle, value])

    def result(self, tensor: int) -> None:
        """A result of the step."""
        self.add("_Retval", [tensor])

    def graph(self) -> StepGraph:
        """What was drawn."""
        return StepGraph(
            batch=self.batch,
            operations=tuple(self.operations),
            tensor_bytes=tuple(self.sizes),
            variables=tuple(self.variables),
            data_bytes=tuple(self.data_bytes),
            names=tuple(f"{item.kind}_{place}" for place, item in enumerate(self.operations)),
        )


def small_net(batch: int) -> StepGraph:
    """Two layers of 64 KiB of weights, trained with two slots each."""
    return layered_net(batch, [KILO, 2 * KILO], 64 * KILO)


def layered_net(batch: int, widths: Sequence[int], kernel_bytes: int) -> StepGraph:
    """A chain of layers with an activation each, its backward pass and its update; widths in bytes a sample."""
    sketch = Sketch(batch)
    kernels = [sketch.variable(kernel_bytes) for _ in widths]
    slots = [sketch.variable(kernel_bytes, VariableRole.SLOT) for _ in widths for _ in range(2)]
    value = sketch.data(KILO * batch)
    kept = [value]
    for kernel, width in zip(kernels, widths, strict=True):
        value = sketch.add("MatMul", [value, sketch.read(kernel)], width * batch)
        value = sketch.add("Relu", [value], width * batch)
        kept.append(value)
    gradient = sketch.add("Softmax", [value], widths[-1] * batch, backward=True)
    for place in reversed(range(len(widths))):
        kernel = kernels[place]
        width = widths[place - 1] * batch if place else KILO * batch
        gradient = sketch.add("ReluGrad", [gradient, kept[place + 1]], widths[place] * batch, backward=True)
        update = sketch.add("MatMul", [gradient, kept[place]], kernel_bytes, backward=True)
        gradient = sketch.add("MatMul", [gradient, sketch.read(kernel)], width, backward=True)
        for slot in slots[2 * place : 2 * place + 2]:
            sketch.add("AssignAddVariableOp", [slot, sketch.add("Mul", [update], kernel_bytes)])
        sketch.assign_sub(kernel, sketch.add("Mul", [update], kernel_bytes))
    return sketch.graph()


@st.composite
def random_net(draw: st.DrawFn) -> tuple[StepGraph, StepGraph]:
    """The same network with batch 4 and 16."""
    widths = draw(st.lists(st.integers(1, 5000), min_size=1, max_size=6))
    kernel = draw(st.integers(1, 100_000))
    return layered_net(4, widths, kernel), layered_net(16, widths, kernel)
