// Timers that end together: each runs once, or not at all.

import { describe, expect, it } from 'vitest';
import { EndableTimers } from '../../../src/core/runtime/timers.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

describe('endable timers', () => {
  it('are those beneath until they end', () => {
    const beneath = new VirtualTimers();
    const timers = new EndableTimers(beneath);
    const heard: string[] = [];
    timers.after(10, () => heard.push('first'));
    timers.after(20, () => heard.push('cancelled'))();
    timers.after(30, () => timers.after(10, () => heard.push('from within')));
    timers.after(50, () => heard.push('too late'));
    beneath.advance(45);
    timers.end();
    timers.after(1, () => heard.push('after the end'));
    beneath.advance(100);
    expect(heard).toEqual(['first', 'from within']);
    expect([timers.now(), beneath.pending]).toEqual([beneath.now(), 0]);
  });
});
