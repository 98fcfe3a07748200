"""Earlier patches of a series with CUDA: what they declare otherwise than the newest."""

from __future__ import annotations

from packaging.version import Version

from gpuconfig_app.knowledge.harvest.index import Index
from gpuconfig_app.knowledge.harvest.pins import installable_pythons
from gpuconfig_app.knowledge.harvest.wanted_wheels import Offer, Series
from gpuconfig_app.knowledge.harvest.wheel_facts import WheelFacts, read_wheel_facts
from gpuconfig_app.knowledge.tensorflow_releases import PatchRelease, TensorflowRelease


def read_patches(
    index: Index, item: Series, row: TensorflowRelease, before: TensorflowRelease | None
) -> tuple[PatchRelease, ...]:
    """Read METADATA of each earlier stable patch; what was read before is not read again.

    Args:
        row: The newest patch.
        before: The row of an earlier harvest, None to read all.

    Raises:
        DownloadError: The index stopped answering.
        UnreadableWheelError: A wheel is damaged.
    """
    known = {patch.version: patch for patch in before.patches} if before is not None else {}
    seen = set(before.versions) if before is not None else set()
    found = []
    for offer in item.offers:
        version = str(offer.version)
        if offer.version.is_prerelease or offer.version >= Version(row.newest):
            continue
        patch = known.get(version) if version in seen else _read(index, item, row, offer)
        if patch is not None:
            found.append(patch)
    return tuple(found)


def _read(index: Index, item: Series, row: TensorflowRelease, offer: Offer) -> PatchRelease:
    with index.open(offer.file) as wheel:
        facts = read_wheel_facts(wheel, item.platform, offer.pythons[0])
    pythons = installable_pythons(facts.and_cuda, offer.pythons, item.platform, index.files) if facts.and_cuda else ()
    return _difference(row, offer, facts, pythons)


def _difference(
    row: TensorflowRelease, offer: Offer, facts: WheelFacts, and_cuda_python: tuple[str, ...]
) -> PatchRelease:
    """Keep only what is not as in the newest patch."""
    pins = dict(facts.and_cuda)
    return PatchRelease(
        version=str(offer.version),
        released_on=offer.released_on,
        python=offer.pythons if offer.pythons != row.python else (),
        numpy=facts.numpy if facts.numpy != row.numpy else None,
        keras=facts.keras if facts.keras != row.keras else None,
        protobuf=facts.protobuf if facts.protobuf != row.protobuf else None,
        and_cuda=pins if pins != dict(row.and_cuda) else {},
        and_cuda_python=and_cuda_python if and_cuda_python != row.and_cuda_python else (),
        is_and_cuda_broken=bool(pins) and not and_cuda_python,
    )
