"""Statements in prose held against the example card: each way of saying what the evidence does not give is refused, and plain
sentences beside it are accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import example_site
import pytest
from ground import ROOT

from proofpress.check.library import load
from proofpress.derive import assertion
from proofpress.derive.derivation import derive
from proofpress.load.passage import Passage
from proofpress.problem import Problem

REF = "[[tiny-ladder/mtp3]]"
Check = Callable[[str], list[Problem]]


@pytest.fixture(scope="module")
def check() -> Check:
    """What is said of words in the example card's summary. Its evidence gives 98.1 against 50.2 tok/s, exact through 8 users, not at 16."""
    library, problems = load(example_site.BASE)
    assert library is not None
    assert problems == ()
    evidence, cards = derive(library)
    (tiny,) = [card for card in cards if card.id == "tiny"]
    passage = partial(Passage, source=library.cards["tiny"].source, location=("summary",))
    return lambda words: list(
        assertion.prose([passage(words=words.replace("REF", REF))], tiny, evidence, library.vocabulary)
    )


REFUSED: dict[str, tuple[str, ...]] = {
    "claim.number": (
        # in words
        "Ninety tokens per second.", "Two hundred tok/s.", "It makes sixty-one tokens a second.", "**Two hundred** tok/s.", "Two **hundred** tok/s.",
        "Hundreds of tokens per second.", "Several hundred tok/s.", "A thousand tokens per second.", "2 hundred tok/s.", "Ninety point two tok/s.",
        "Between ninety and 98.1 tok/s.", "From ninety to 98.1 tok/s.", "Between 90 and 98.1 tok/s.", "tok/s: ninety.",
        "First token after four seconds.",
        "A token every 5 milliseconds.", "Each token took 5 ms.",
        "First token after half a second.", "A TTFT of forty ms.",
        "61  tok/s.", "61 tokens  per second.", "61 tokens \n per second.",
        # in tables
        "| users | tok/s |\n|---|---|\n| 8 | 61 |", "| users | Speed (tok/s) |\n|---|---|\n| 8 | **61** |", "| | decode |\n|---|---|\n| tok/s | 61 |",
        "| users | TTFT (ms) |\n|---|---|\n| 8 | 3 |", "| users | TTFT (s) |\n|---|---|\n| 8 | 3 |", "| tok/s |\n|---|\n| 61–98 |",
        "| tok/s |\n|---|\n| ninety |",
        # in code
        "```\n# 61 tok/s\n```", "```\nOutput token throughput (tok/s):             1234.5\n```", '```\n"output_throughput": 61.1\n```',
        '```\n"tokens_per_second": 61\n```', "```\nMean TTFT (ms):      42\n```", "```\nttft_ms: 42\n```",
    ),
    "claim.ratio": (
        "Three times the speed.", "Three times as fast.", "A tenfold speedup.", "Tenfold faster.", "Throughput rises tenfold.",
        "Twenty times faster.",
        "An order of magnitude faster.", "Two orders of magnitude more throughput.", "Orders of magnitude faster.", "10x the tok/s.", "Speed: 10x.",
        "It triples throughput.", "Throughput triples with drafts.", "A third of the latency.", "A quarter of the speed.",
        "Thrice the tokens per second.",
        "A hundred times the throughput.", "Throughput is up 45%.", "It reduces latency by 45%.", "It improves throughput by 10x.", "x10 faster.",
        "Speedup: 10x.",
        "Ten times better speed.", "A factor of nine in throughput.", "30% of the throughput.", "Ninety percent faster.", "Triple the token rate.",
        "Latency is cut by 70%.", "1/4 the latency.", "\u00bc of the latency.", "REF alone, and three times that with drafts.",
        "| users | speedup |\n|---|---|\n| 8 | 9x |",
        "| users | faster (%) |\n|---|---|\n| 8 | 45 |",
    ),
    "claim.count": ("Twelve of sixteen outputs match.", "| users | identical |\n|---|---|\n| 8 | 64/64 |"),
    "claim.exact-through": (
        "Outputs are indistinguishable from the full model's.", "It gives exactly the same outputs.", "The exact same output.",
        "The very same answers.",
        "Outputs are byte-identical.", "Token-for-token the full model's output.", "Bit for bit.", "Bitwise equal.", "No quality loss.",
        "Without quality loss.",
        "All 64 users get equal answers.", "Sixteen users are exact.",
        "Zero accuracy loss.", "No loss of quality.", "No difference in the output.", "Drafting does not change the output.",
        "Drafting doesn't change a single token.",
        "It cannot affect the answers.", "It never changes the answers.", "Without changing the output.", "It changes nothing in the output.",
        "It leaves the output unchanged.", "Quality is unchanged.", "The same outputs as the full model.", "Outputs never differ.",
        "It gives identical outputs.", "Drafting produces equivalent answers.", "It writes the same tokens as the full model.",
        "Loss-free drafting.",
        "Every output is identical.",
        "All outputs match.",
        "In that format all outputs are identical.", "Outputs are always identical.", "Outputs are identical.", "At 16 users every output was equal.",
        "Outputs are the same at sixteen users.", "Exact through sixteen users.",
    ),
    "reference.number": (
        "1 REF", "1\nREF", "1&nbsp;REF", "1'REF", "2 × REF", "2x REF", "2 x REF", "2 * REF", "2·REF", "REF0", "REF × 2", "REF x 8", "REF/2",
        "REF times two",
        "REF doubled", "twice REF", "half of REF", "ten times REF", "a third of REF", "90% of REF", "thousand REF", "REFREF", "[[fact revision]] REF",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "words"), [(rule, words) for rule, rows in REFUSED.items() for words in rows])
def test_what_the_evidence_does_not_give_is_refused(check: Check, rule: str, words: str) -> None:
    assert {problem.rule for problem in check(words)} == {rule}


ACCEPTED = (
    # counts of what was set up
    "8 users are exact.", "The 16 users are not exact.", "The 64 users are served one after the other.", "A flush every 5 milliseconds.",
    "Two servers, three passes, one user.", "Twelve prompts, one after the other.", "Three tokens per step.", "Wait thirty seconds for the port.",
    "Restart the server two times.", "One token at a time.", "On two servers, one second pass each.", "In one second pass the first token is cold.",
    "Hundreds of prompts, thousands of tokens in the cache.", "One of two passes.", "Tokens per second is one of the metrics.", "One hundred GB.",
    "On one or two cards decoding is memory bound.", "A speed on three hosts.", "Ten prompts, the decode speed of each.",
    # factors of other things
    "Half the memory.", "Half of the layers.", "Double precision.", "Double the batch.", "Twice the users.", "Prompts are sent twice.",
    "2x RTX 4090.",
    "4x H200 with fast links.", "PCIe 4.0 x16 at full speed.", "16x PCIe lanes, fast.", "4096 × 4096 tokens at speed.", "Fans at 90% speed.",
    "A third of the prompts are in Chinese.", "A quarter of the memory.", "Logits differ by an order of magnitude.",
    "Each prompt is sent ten times to measure speed.",
    "An 8x7B mixture, fast.", "It doubles the batch.", "The fast path in three of four layers.",
    # equality of other things, or of some, or none claimed
    "It is not lossless.", "The checkpoint is byte-identical to the published one.", "Copy the command word for word.", "Exactly the same prompts.",
    "The same settings on both servers.", "Outputs are the same length.", "The format of the output is identical.",
    "It does not change the output folder.", "It does not change the number of tokens.",
    "No change in settings.", "No loss of packets.", "Accuracy was not measured.", "Drafting changes the output.",
    "Nobody checked whether drafting changes the output.",
    "Nobody knows whether there is no quality loss.", "Points are drawn only where outputs are equal.", "At 16 users 15/16 outputs were equal.",
    "Outputs are equal to those of one user only as far as the charts are drawn.", "Not all outputs are identical.", "It gave 12/12 exact outputs.",
    "Compared with the oracle's outputs.", "Each gets the same tokens as the others.",
    # true
    "Ninety-eight tokens per second.", "Ninety-eight point one tokens per second.", "About fifty tokens per second.",
    "Throughput doubles with drafts.",
    "It doubles the speed.", "Twice as fast.", "Half the latency.", "95% more throughput.", "Throughput is up 95%.", "51% of the throughput.",
    "Twelve of twelve outputs exact.", "At 8 users every output was equal.", "Exact through eight users.",
    "| users | tok/s |\n|---|---|\n| 1 | 98.1 |",
    "| users | identical |\n|---|---|\n| 8 | 8/8 |", "| users | speedup |\n|---|---|\n| 1 | 1.95x |", "```\n# 98 tok/s\n```",
    # tables and commands of other things
    "| setting | value |\n|---|---|\n| max_num_seqs | 16 |", "| what | tok/s |\n|---|---|\n| host | 2 cards |",
    "| unit | samples |\n|---|---|\n| tok/s | 12 |", "| tok/s | 8 users |\n|---|---|\n| a | b |",
    "| users | tok/s |\n|---|---|\n| 8 | REF |", "| poll (ms) | every |\n|---|---|\n| 500 | 3 |", "```sh\nserve --max-num-seqs 16 --port 8000\n```",
    # references that stand alone
    "It is (REF), and REF.", "**REF**.", "At 8 users: REF.", "8 users get REF.", "On 2026-09-07 REF was measured.", "- REF", "1. REF",
    "About REF, 12/12 exact.",
    "REF at 8 users.", "REF against REF.", "Two servers gave REF.", "REF (8 users), 2 cards.", "One user gets REF, twice as fast as without drafts.",
)  # fmt: skip


@pytest.mark.parametrize("words", ACCEPTED)
def test_plain_sentences_and_true_ones_are_accepted(check: Check, words: str) -> None:
    assert check(words) == []


def test_a_cell_is_told_with_its_header(check: Check) -> None:
    (problem,) = check("| users | tok/s |\n|---|---|\n| 8 | 61 |")
    assert problem.found == "'61', which its header makes '61 tok/s'"


def test_words_of_equality_need_a_comparison() -> None:
    """A card whose evidence compared no outputs cannot call them equal, although nothing of it is withheld."""
    library, _ = load(example_site.BASE)
    assert library is not None
    evidence, cards = derive(library)
    (tiny,) = [card for card in cards if card.id == "tiny"]
    nothing = replace(tiny, headline=None, pending="Nothing was measured.", profiles=())
    passage = Passage(source=library.cards["tiny"].source, location=("summary",), words="Drafting is lossless.")
    found = assertion.prose([passage], nothing, evidence, library.vocabulary)
    assert [problem.rule for problem in found] == ["claim.exact-through"]


# --- which arm is spoken of -------------------------------------------------------------------------------------------
# The repository's own cards. H200: fp32 is exact at all that was measured; bf16 is at one and two users, at four 2/8, and 5/12 with
# drafts. 32 users get 3,650 tok/s with fp32, one user 256.9 with three drafted tokens. 27B: mtp2 makes 37.1 tok/s, mtp0 19.6.

OF_ARMS_REFUSED: dict[str, dict[str, tuple[str, ...]]] = {
    "h200-qwen3-random-static-batch": {
        "claim.exact-through": (
            "In bf16 all outputs were identical.", "The bf16 outputs were identical.", "In bfloat16 all outputs were identical.",
            "In bf16 the outputs were identical at every draft depth.", "In bfloat16 the outputs with drafts were the same as without.",
            "bf16: outputs identical at depths 1, 3 and 5.", "In bf16 outputs with five drafts were exact.", "In fp32 and bf16 all outputs were identical.",
            "Every bf16 output was equal to its oracle's.", "bf16 outputs match the single user's at all batch sizes.",
            "bf16-ngram3 reproduces bf16-none token for token.", "Not one of the outputs differed.", "Every answer was compared, and none differed.",
            "There were no mismatches in bf16.", "bf16 and fp32 agree in every answer.", "bf16 is as exact as fp32.", "Unlike fp32, bf16 is exact.",
            "The answers do not depend on the batch.", "Drafts change nothing in bf16.", "bf16 is fully qualified at all levels.",
            "The bf16 arm passes identity.", "bf16: correct through thirty-two users.", "The outputs of bf16-ngram3 are the same as those of bf16-none.",
            "In bf16 the outputs are iden&shy;tical.", "In bf16 the outputs are *iden*tical.", "In bf16 the outputs are id\u0435ntical.",
            "With [[h200-qwen3-random-strict-ngram/fp32-none]] and in bf16 all outputs are identical.",
        ),
        "claim.count": ("7/12 outputs equal in bf16 at depth 5.", "bf16-ngram3: 12/12.", "5/12 outputs differ in bf16 at depth 5."),
        "claim.number": (
            "It reaches 256.9 tok/s with bf16 and 5 drafts.", "bf16 reaches 3,650 tok/s at 32 users.", "With bf16, 32 users get 3,650 tok/s.",
            "fp32 reaches 3,650 tok/s at 16 users.", "fp32 reaches 3,650 tok/s for one user.", "fp32 gives each of 32 users 3,650 tok/s.",
            "fp32 reaches 3,650 tok/s for each user.", "Throughput: 44.", "A token comes every 22 milliseconds.",
        ),
        "claim.ratio": (
            "bf16 is 16% faster than fp32 at 2 users.", "bf16 is faster than fp32 at two users.", "bf16 beats fp32 everywhere.",
            "fp32 is slower than bf16.",
        ),
    },
    "qwen38-27b-q8-q4mtp-mtp2-tp1-b70": {
        "claim.number": (
            "mtp0 runs at 37.1 tok/s.", "mtp2 runs at 19.6 tok/s.", "Without drafts one user gets 37.1 tok/s.", "Eight users together get 37.1 tok/s.",
        ),
        "claim.ratio": ("mtp0 is 89% faster than mtp2.", "mtp2 is slower than mtp0."),
        "claim.exact-through": ("The outputs of mtp1 are the same as those of mtp0.",),
    },
}  # fmt: skip

OF_ARMS_ACCEPTED: dict[str, tuple[str, ...]] = {
    "h200-qwen3-random-static-batch": (
        "5/12 outputs equal in bf16 at depth 5.", "7/12 outputs differ in bf16 at depth 5.", "bf16-ngram3: 5/12.", "In fp32 all outputs were identical.",
        "Without drafts it makes [[h200-qwen3-random-strict-ngram/fp32-none]] in 32-bit, and every answer stayed the same.",
        "[[h200-qwen3-random-strict-ngram/fp32-ngram3]], and all outputs are identical.", "fp32 reaches 3,650 tok/s at 32 users.",
        "32 users together get 3,650 tok/s with fp32.", "fp32 gives each of 32 users 114 tok/s.", "fp32 is 16% faster than bf16 at 2 users.",
        "At 2 users bf16 is slower than fp32.", "It reaches 256.9 tok/s with fp32 and 3 drafts.",
        "256.9 tok/s with fp32 and three drafted tokens, against 131.9 without drafts.", "Two users in bfloat16 were still exact.",
        "Outputs in fp32 were identical at all measured numbers of users.", "In bf16 2/8 outputs were equal at 4 users.",
        "We do not claim that outputs stay identical in bf16.", "With a bf16 KV cache one user gets 256.9 tok/s.", "Throughput: see the chart.",
        "No mismatch of versions.", "The copy is exact.",
    ),
    "qwen38-27b-q8-q4mtp-mtp2-tp1-b70": (
        "mtp2 runs at 37.1 tok/s.", "mtp2 runs at 37.1 tok/s against 19.6 without drafts.", "mtp0 runs at 19.6 tok/s.",
        "With mtp2 one user gets 37.1 tok/s, up from 19.6 tok/s with mtp0.", "mtp2 is 89% faster than mtp0.", "mtp0 is slower than mtp2.",
        "Without drafts one user gets 19.6 tok/s.",
    ),
}  # fmt: skip


# Contrasts, counts of a level, shares and totals, what is undrafted, other words for users and for equality.

CONTRASTS_REFUSED: dict[str, dict[str, tuple[str, ...]]] = {
    "h200-qwen3-random-static-batch": {
        "claim.count": (
            "In bf16 32/32 outputs were equal at 32 users.", "In bf16 at 16 users 8/8 outputs were equal.", "bf16: 8/8 at 4 users.",
            "bf16: 12/12 outputs equal with drafts.", "In bf16 all 12 of 12 match with drafts.", "0/12 bf16 outputs differ with drafts.",
        ),
        "claim.number": (
            "32 users together get 114 tok/s.", "In total, 32 users get 114 tok/s.", "The aggregate throughput at 32 users is 114 tok/s.",
            "Every one of the 32 users sees 3,650 tok/s.", "3,650 tok/s apiece at 32 users.", "Batch 16: 3,650 tok/s.",
            "A batch of 16 makes 3,650 tok/s.", "Batch-1 decode: 3,650 tok/s.", "Sixteen people at once get 3,650 tok/s.",
            "At 32K context it decodes at 131.9 tok/s.", "At 32K the first token takes 10.2 ms.", "In bf16, three drafts give 256.9 tok/s.",
            "bf16 reaches up to 3,650 tok/s.", "BF-16 reaches 3,650 tok/s.", "| users | tok/s |\n|---|---|\n| 16 | 3,650 |",
        ),
        "claim.ratio": (
            "Compared with fp32, bf16 is 16% faster at 2 users.", "bf16 has 1.2 times the throughput of fp32.",
            "In bf16 three drafts give 95% more throughput.",
        ),
        "claim.exact-through": (
            "Both formats give the same answers.", "Every configuration reproduces its oracle.", "bf16 is batch-invariant.",
            "Batching has no effect on the outputs.", "No bf16 answer changed.", "No divergence was seen in bf16.", "Both formats are exact.",
            "All arms are exact.", "With bf16 the token ids are identical at every draft depth.",
            "bf16 outputs equal those of a single user, whatever the batch.", "In bf16 100% of answers match.",
        ),
    },
    "qwen38-27b-q8-q4mtp-mtp2-tp1-b70": {
        "claim.number": (
            "With drafts it makes 19.6 tok/s.", "Drafting off: 37.1 tok/s.", "No speculation at all: 37.1 tok/s.",
            "Plain decoding makes 37.1 tok/s.",
        ),
        "claim.ratio": (
            "Without drafts it is 89% faster.", "With drafts it is 89% slower.",
        ),
    },
}  # fmt: skip

CONTRASTS_ACCEPTED: dict[str, tuple[str, ...]] = {
    "h200-qwen3-random-static-batch": (
        "Unlike bf16, fp32 is exact.", "In fp32 the outputs are bit-identical, in bf16 they are not.",
        "The fp32 arms are exact, the bf16 arms are not.", "The outputs are identical in fp32 and differ in bf16.",
        "In fp32 drafts change nothing, and in bf16 they do.", "In contrast to bf16, the outputs of fp32 are identical at all numbers of users.",
        "fp32 outputs are identical, whereas 5/12 bf16 outputs were equal with drafts.", "fp32 is exact through 32 users, bf16 through 2 users.",
        "While bf16 differs at four users, fp32 outputs are all identical.", "In bf16 outputs were equal for one and two users only.",
        "Outputs in bf16 are identical at 1 and 2 users.", "bf16 is not faster than fp32.", "We had expected bf16 to be faster than fp32.",
        "Nothing says that bf16 is faster than fp32.", "Whether bf16 is faster than fp32 at 32 users cannot be said, since its point is withheld.",
        "bf16 should be faster than fp32 on this accelerator, and is not.",
        "fp32-ngram5 is slower than fp32-ngram3: 184.1 tok/s against 256.9 tok/s.", "At 32 users fp32 makes 3,650 tok/s together, 114 tok/s each.",
        "One user gets 256.9 tok/s with three drafts.", "With drafts fp32 makes 256.9 tok/s.",
        "In bf16 11/32 outputs were equal at 32 users in the cold pass.", "Outputs differ in bf16 from four users on.",
        "fp32 decodes at 131.9 tok/s without drafts and at 256.9 tok/s with three.", "The first token comes after 102 ms at 32K.",
        "In fp32 at 32 users 32/32 outputs were equal.",
    ),
    "qwen38-27b-q8-q4mtp-mtp2-tp1-b70": (
        "It makes 37.1 tok/s (mtp0: 19.6 tok/s).", "With drafts it makes 37.1 tok/s.", "Without drafts it is 47% slower.",
        "With two drafts it is 89% faster.", "mtp2 is 89% faster than without drafts.", "Compared with mtp0 it is 89% faster.",
        "It is twice as fast with drafts.",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def of_card() -> Callable[[str, str], list[Problem]]:
    """What is said of words on one of the repository's cards."""
    library, _ = load(ROOT)
    assert library is not None
    evidence, cards = derive(library)
    by_id = {card.id: card for card in cards}

    def said(card_id: str, words: str) -> list[Problem]:
        passage = Passage(source=library.cards[card_id].source, location=("limits", 0), words=words)
        return list(assertion.prose([passage], by_id[card_id], evidence, library.vocabulary))

    return said


@pytest.mark.parametrize(
    ("card", "rule", "words"),
    [
        (card, rule, words)
        for cards in (OF_ARMS_REFUSED, CONTRASTS_REFUSED)
        for card, rules in cards.items()
        for rule, rows in rules.items()
        for words in rows
    ],
)
def test_what_is_true_of_another_arm_is_refused(
    of_card: Callable[[str, str], list[Problem]], card: str, rule: str, words: str
) -> None:
    assert {problem.rule for problem in of_card(card, words)} == {rule}


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (card, words)
        for cards in (OF_ARMS_ACCEPTED, CONTRASTS_ACCEPTED)
        for card, rows in cards.items()
        for words in rows
    ],
)
def test_what_is_true_of_the_arm_is_accepted(
    of_card: Callable[[str, str], list[Problem]], card: str, words: str
) -> None:
    assert of_card(card, words) == []


def test_a_refused_claim_says_what_speaks_against_it(of_card: Callable[[str, str], list[Problem]]) -> None:
    (whole,) = of_card("h200-qwen3-random-static-batch", "In bf16-ngram5 all outputs were identical.")
    assert whole.hint == (
        "not so in [[h200-qwen3-random-strict-ngram/bf16-ngram5]]: 5/12 outputs matched in the first pass, server a;"
        " name the arm that is meant, by its id"
    )
    (speed,) = of_card("qwen38-27b-q8-q4mtp-mtp2-tp1-b70", "mtp0 runs at 37.1 tok/s.")
    reference = "[[q27-q8-mtp-tp1-r1-strict/mtp2 class_balanced_decode_1_100]]"
    assert speed.hint == f"the evidence gives 37.1 tok/s of {reference}"
    assert of_card("qwen38-27b-q8-q4mtp-mtp2-tp1-b70", f"One user gets {reference}.") == []
    (count,) = of_card("h200-qwen3-random-static-batch", "12/12 outputs equal in bf16 at depth 5.")
    assert count.hint == "the evidence gives 5/12"


def test_a_reference_that_could_mean_several_metrics_is_told_in_full(
    of_card: Callable[[str, str], list[Problem]],
) -> None:
    """Was: the names of the metrics, and no word on where one stands. Each that is proposed can be used."""
    h200, arm = "h200-qwen3-random-static-batch", "h200-qwen3-random-users/bf16 context=2048"
    (problem,) = of_card(h200, f"It is [[{arm}]].")
    assert problem.hint == f"[[{arm} decode]] or [[{arm} ttft_p50]]"
    for reference in problem.hint.split(" or "):
        assert of_card(h200, f"It is {reference}.") == []
    (problem,) = of_card(h200, "It is [[q9-c2-users/mtp3 metric=decode]].")
    assert problem.hint == "as [[campaign/arm users=8 aggregate_wall]]"
