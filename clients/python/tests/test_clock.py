"""The estimate of the gateway's clock."""

import unittest

from crossbook import ServerClock


class Clocks(unittest.TestCase):
    def test_is_the_own_clock_before_the_first_answer(self) -> None:
        clock = ServerClock(lambda: 1_000.0)
        self.assertEqual((clock.is_compared, clock.now_ms()), (False, 1_000.0))

    def test_narrows_the_offset_by_answers_that_agree(self) -> None:
        clock = ServerClock(lambda: 0.0)
        clock.observe(0, 100, 5_050)
        self.assertEqual(clock.offset_ms, 5_000)
        clock.observe(0, 10_000, 5_050)
        self.assertEqual(clock.offset_ms, 5_000)
        clock.observe(200, 202, 5_221)
        self.assertEqual(clock.offset_ms, 5_020)

    def test_believes_an_answer_that_contradicts_the_earlier_ones(self) -> None:
        clock = ServerClock(lambda: 0.0)
        clock.observe(0, 10, 5)
        clock.observe(0, 10, 60_005)
        self.assertEqual(clock.offset_ms, 60_000)

    def test_learns_nothing_while_the_own_clock_is_set_back(self) -> None:
        clock = ServerClock(lambda: 0.0)
        clock.observe(100, 50, 60_000)
        self.assertFalse(clock.is_compared)
