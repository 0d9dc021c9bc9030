// The client's emitter: the listeners that are called, how often, and the effect of a list that changes during a call.

import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/tools/client/emitter.ts';

class Bell extends Emitter<{ ring: [times: number]; silence: [] }> {
  ring(times: number): void {
    this.emit('ring', times);
  }
}

describe('an emitter', () => {
  it('tells every listener of that event, in order, at once', () => {
    const [bell, heard] = [new Bell(), [] as string[]];
    bell.on('ring', times => heard.push(`first ${times}`));
    bell.on('ring', times => heard.push(`second ${times}`));
    bell.on('silence', () => heard.push('silence'));
    bell.ring(3);
    expect(heard).toEqual(['first 3', 'second 3']);
  });

  it('tells nobody who was taken away, and only that one', () => {
    const [bell, heard] = [new Bell(), [] as number[]];
    const listener = (times: number) => heard.push(times);
    const remove = bell.on('ring', listener);
    bell.on('ring', listener);
    remove();
    bell.ring(1);
    remove();
    bell.ring(2);
    expect(heard).toEqual([1, 2]);
  });

  it('tells a listener of one event once', () => {
    const [bell, heard] = [new Bell(), [] as number[]];
    bell.once('ring', times => {
      heard.push(times);
      bell.ring(times + 1);
    });
    bell.ring(1);
    expect(heard).toEqual([1]);
  });

  it('lets listeners come and go while they are called', () => {
    const [bell, heard] = [new Bell(), [] as string[]];
    const removeFirst = bell.on('ring', () => {
      removeFirst();
      bell.on('ring', () => heard.push('newcomer'));
    });
    bell.on('ring', () => heard.push('second'));
    bell.ring(1);
    bell.ring(2);
    expect(heard).toEqual(['second', 'second', 'newcomer']);
  });
});
