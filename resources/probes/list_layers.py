"""Writes down the layers of an open model for the case that its training step can't be traced.

Loaded by ``trace_step.py`` from the folder both lie in. The model is called once with symbols, each layer's call is
noted, nothing is computed. A layer that is called twice is noted twice, its weights once. Standard library, TensorFlow
2.16 or newer with its Keras 3; Python 3.7 syntax.
"""

# A prime that no width of a network has: what is a multiple of it grows with the batch.
BATCH = 1009
MOST_CALLS = 20000
ATTENTION = ("MultiHeadAttention", "GroupedQueryAttention", "GroupQueryAttention")
RECURRENT = ("LSTM", "GRU", "SimpleRNN")
PLAIN = (None, "linear")


def layers_of(model, symbols):
    """Gives the record about a model: bytes of every variable, sizes of one sample, and a row for each call of a layer.

    A row holds the kind (the closest class of Keras), the number of the row it was called in or -1, bytes of its own
    trained and other weights as far as no earlier row has them, elements of one sample of inputs, outputs and of what is
    inside (scores of an attention, states of a recurrent layer), bytes of a number, and whether it has an activation.
    Elements are None where a size is open.
    """
    import tensorflow as tf

    trained = {id(variable) for variable in model.trainable_variables}
    sizes = {True: [], False: []}
    known = {}  # a layer that computes in half precision tells its own variables' type otherwise
    for variable in unique(model.variables):
        known[id(variable)] = bytes_of(variable)
        sizes[id(variable) in trained].append(known[id(variable)])
    inputs = tf.nest.flatten(symbols[0])
    outputs = tf.nest.flatten(symbols[1])
    return {
        "trainable": sizes[True],
        "state": sizes[False],
        "input_bytes": sum(product(item.shape[1:]) * tf.as_dtype(item.dtype).size for item in inputs),
        "output_elements": sum(product(item.shape[1:]) for item in outputs),
        "rows": Spy(trained, known).rows_of(model, symbols[0]),
    }


class Spy:
    """Notes every call of a layer while a model is called with symbols."""

    def __init__(self, trained, known):
        self.trained = trained
        self.known = known
        self.rows = []
        self.open = []
        self.seen = set()

    def rows_of(self, model, inputs):
        """Gives a row for each call; raises what the user's layers raise, as a part of the layers is none to judge by."""
        import keras
        import tensorflow as tf

        spy = self
        originals = {kind: kind.__call__ for kind in (keras.Layer, keras.Operation)}

        def noting(kind):
            def call(layer, *args, **kwargs):
                is_again = kind is keras.Operation and isinstance(layer, keras.Layer)  # on its way up
                if layer is model or is_again:
                    return originals[kind](layer, *args, **kwargs)
                row = spy.begin(layer, args, kwargs)
                try:
                    result = originals[kind](layer, *args, **kwargs)
                finally:
                    spy.open.pop()
                row[5] = elements_in(result)
                spy.count_weights(layer, row)  # what it is made of has counted its own by now
                return result

            return call

        def forward(data):
            return model(data, training=True)

        specs = tf.nest.map_structure(lambda item: tf.TensorSpec((BATCH,) + tuple(item.shape)[1:], item.dtype), inputs)
        for kind in originals:
            kind.__call__ = noting(kind)
        try:
            tf.function(forward).get_concrete_function(specs)
        finally:
            for kind, original in originals.items():
                kind.__call__ = original
        return self.rows

    def begin(self, layer, args, kwargs):
        """Notes a call that begins."""
        if len(self.rows) >= MOST_CALLS:
            raise ValueError("too many layers")
        inside = self.open[-1] if self.open else -1
        kind, width = kind_of(layer), width_of(layer)
        taken = elements_in((args, kwargs))
        row = [kind, inside, 0, 0, taken, None, inner_of(kind, layer, args, kwargs), width, has(layer)]
        self.open.append(len(self.rows))
        self.rows.append(row)
        return row

    def count_weights(self, layer, row):
        """Counts the weights of a layer that no earlier call counted."""
        for variable in unique(getattr(layer, "variables", ())):
            if id(variable) not in self.seen:
                self.seen.add(id(variable))
                row[2 if id(variable) in self.trained else 3] += self.known.get(id(variable), 0)


def unique(variables):
    """Gives each variable once."""
    return list({id(variable): variable for variable in variables}.values())


def bytes_of(variable):
    """Gives the bytes of a variable."""
    import tensorflow as tf

    return product(variable.shape) * tf.as_dtype(variable.dtype).size


def product(shape):
    """Gives the number of elements of a shape, 0 where it is open."""
    count = 1
    for size in shape:
        count *= int(size or 0)
    return count


def kind_of(layer):
    """Gives the name of the closest class of Keras."""
    for kind in type(layer).__mro__:
        if kind.__module__.split(".")[0] == "keras":
            return kind.__name__
    return "Layer"


def width_of(layer):
    """Gives the bytes of a number the layer computes with."""
    import tensorflow as tf

    try:
        return int(tf.as_dtype(layer.compute_dtype).size)
    except (AttributeError, TypeError):
        return 4


def has(layer):
    """Tells whether a layer applies an activation of its own after what it computes."""
    activation = getattr(layer, "activation", None)
    return getattr(activation, "__name__", activation) not in PLAIN


def tensors_in(structure):
    """Gives the tensors of floating numbers in a structure, those of whole numbers and truth values left out."""
    import tensorflow as tf

    return [item for item in tf.nest.flatten(structure) if tf.is_tensor(item) and item.dtype.is_floating]


def elements_in(structure):
    """Gives the elements of one sample of all tensors, None where one is open; what is the same for all counts as 0."""
    total = 0
    for tensor in tensors_in(structure):
        count = None if tensor.shape.rank is None else tensor.shape.num_elements()
        if count is None:
            return None
        total += count // BATCH if count % BATCH == 0 else 0
    return total


def inner_of(kind, layer, args, kwargs):
    """Gives the elements of one sample that a layer makes inside and nobody sees, None where that can't be told."""
    tensors = tensors_in((args, kwargs))
    if not tensors or tensors[0].shape.rank is None:
        return None if kind in ATTENTION + RECURRENT else 0
    first = list(tensors[0].shape)
    if kind in ATTENTION:
        second = list(tensors[1].shape) if len(tensors) > 1 and tensors[1].shape.rank is not None else first
        heads = getattr(layer, "num_heads", None) or getattr(layer, "_num_heads", None) or 1
        sizes = [heads] + first[1:-1] + second[1:-1]
    elif kind in RECURRENT:
        sizes = [first[1] if len(first) > 2 else 1, layer.units]
    else:
        return 0
    return None if None in sizes else product(sizes)
