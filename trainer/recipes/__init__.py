"""One file a published method, each read from top to bottom like its paper.

A new method is one new file, with up to two classes:

- A **recipe**, a frozen dataclass: hyper-parameters, each a ``setting`` with its meaning, and the
  methods of ``base.Recipe``. ``plan`` samples an epoch; ``losses`` turns a batch of it into the
  parts of the loss; ``validate`` gives the figure by which ``stops`` decides. Everything random
  comes from the ``noise`` that they are given, so that a run repeats itself, and one that was
  stopped goes on as if it had not been. ``common`` holds what recipes share.
- An **encoder**, where no other will do (``trainer.encoders.network`` has one hidden layer,
  ``recurrent`` reads words). Training asks for what ``trainer.encoders.base.Trainable`` says: the
  weights by name, and a ``step`` that encodes and leaves fresh gradients. Loading asks for
  ``kind``, ``encode``, ``save`` and ``load``, and for a line in ``trainer.encoders._KINDS``.

State, resumption, divergence and the best epoch are the same for all and need no
code. ``tests/trainer/scaled_dimensions.py`` is a whole method in 130 lines, and
``tests/trainer/test_a_new_recipe.py`` trains, stops, resumes, loads and scores it::

    for report in trainer.train(ScaledDimensions(), data, state_dir="runs/scaled"):
        print(report.validation)
    trainer.evaluate("ranking", trainer.load("runs/scaled"), data)
"""
