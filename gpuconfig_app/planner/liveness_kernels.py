"""What TensorFlow's kernels do with their inputs' memory: hand it on, write into it, or leave it alone.

Read in TensorFlow's kernel sources (2.16 to 2.21) and compared with the allocations of real steps. What is not listed
allocates its outputs.
"""

from __future__ import annotations

# The output is the first input's own buffer.
VIEWS = frozenset(
    {
        "Bitcast", "CheckNumerics", "CheckNumericsV2", "Enter", "EnsureShape", "Exit", "ExpandDims", "Identity",
        "LoopCond", "NextIteration", "PlaceholderWithDefault", "PreventGradient", "RefIdentity", "Reshape", "Snapshot",
        "Squeeze", "StopGradient",
    }
)  # fmt: skip

# The same, where the output is as large as the input: nothing was to be reduced, repeated or cut.
VIEWS_WHEN_EQUAL = frozenset(
    {
        "All", "Any", "BroadcastTo", "ConcatV2", "Max", "Mean", "Min", "Pack", "Pad", "PadV2", "Prod", "Slice",
        "StridedSlice", "Sum", "Tile",
    }
)  # fmt: skip

_UNARY = (
    "Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "BiasAdd", "Ceil", "ClipByValue", "Cos", "Cosh",
    "Digamma", "Elu", "Erf", "Erfc", "Erfinv", "Exp", "Expm1", "Floor", "FusedBatchNorm", "FusedBatchNormV2",
    "FusedBatchNormV3", "Inv", "LeakyRelu", "Lgamma", "Log", "Log1p", "LogSoftmax", "LogicalNot", "MatrixBandPart",
    "MatrixSetDiag", "MatrixSetDiagV3", "MaxPoolGrad", "Neg", "Reciprocal", "Relu", "Relu6", "Rint", "Round", "Rsqrt",
    "Selu", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax", "Softplus", "Softsign", "Sqrt", "Square", "Tan", "Tanh",
    "TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate", "_UnaryOpsComposition",
)  # fmt: skip

_BINARY = (
    "Add", "AddV2", "Atan2", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "DivNoNan", "EluGrad", "FloorDiv",
    "FloorMod", "InvGrad", "LeakyReluGrad", "LogicalAnd", "LogicalOr", "Maximum", "Minimum", "Mod", "Mul", "MulNoNan",
    "Pow", "RealDiv", "ReciprocalGrad", "Relu6Grad", "ReluGrad", "RsqrtGrad", "SeluGrad", "SigmoidGrad", "SoftplusGrad",
    "SoftsignGrad", "SqrtGrad", "SquaredDifference", "Sub", "TanhGrad", "TruncateDiv", "Xdivy", "Xlog1py", "Xlogy",
)  # fmt: skip

# Inputs whose buffer the first output may take when nothing else needs it, in the order in which they are tried.
FORWARDS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_UNARY, (0,)),
    **dict.fromkeys(_BINARY, (0, 1)),
    "AddN": tuple(range(64)),
    "Select": (1, 2),
    "SelectV2": (1, 2),
}

# The same for the second output.
FORWARDS_SECOND = {"SoftmaxCrossEntropyWithLogits": (0,), "SparseSoftmaxCrossEntropyWithLogits": (0,)}

# They write into a variable and make a copy of it first while an earlier value is still to be read.
# A variable that rows are scattered into is copied whole by each later read instead, from its first step on.
SCATTERS = frozenset({"ResourceScatterAdd", "ResourceScatterSub", "ResourceScatterUpdate"})
UPDATES = SCATTERS | {"AssignAddVariableOp", "AssignSubVariableOp"}
ASSIGNS = frozenset({"AssignVariableOp"})

# They hand one input on, to one of two outputs, or the one of two that is there.
SWITCHES = frozenset({"RefSwitch", "Switch"})
MERGES = frozenset({"Merge", "RefMerge"})

# They hold no memory of the step: constants live with the program, handles are small.
WITHOUT_MEMORY = frozenset({"Const", "NoOp", "VarHandleOp", "_Arg", "_HostConst"})

# Kernels that TensorFlow runs at once on the processor instead of putting them on its queue.
INEXPENSIVE = frozenset(
    {
        "Bitcast", "BroadcastArgs", "BroadcastGradientArgs", "ConcatOffset", "Const", "ControlTrigger", "Enter", "Exit",
        "ExpandDims", "Identity", "IdentityN", "If", "LoopCond", "Merge", "NextIteration", "NoOp", "Placeholder",
        "PlaceholderWithDefault", "PreventGradient", "Rank", "RefIdentity", "Reshape", "Shape", "ShapeN", "Size",
        "Snapshot", "Squeeze", "StatelessIf", "StatelessWhile", "StopGradient", "Switch", "VarHandleOp", "While",
        "_Arg", "_Retval",
    }
)  # fmt: skip
