// The gateway on a terminal, by Debian's `script`, and the text that the gateway prints on the terminal.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { START_FLAGS } from './child-process.ts';

interface Started {
  readonly said: string;
  /** Closes the terminal, which ends the gateway that runs on it. */
  end(): Promise<void>;
}

/** Starts the gateway, and waits until its output satisfies `isEnough`. */
export async function onTerminal(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  isEnough: (said: string) => boolean,
): Promise<Started> {
  const command = [process.execPath, ...START_FLAGS, 'src/main.ts', ...args].join(' ');
  const env = { PATH: process.env.PATH, ...environment };
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  // A failing test leaves no gateway behind: a gateway ends when its terminal is gone.
  onTestFinished(() => void terminal.kill());
  let said = '';
  const enough = Promise.withResolvers<void>();
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (isEnough(said)) enough.resolve();
  });
  await enough.promise;
  const end = async (): Promise<void> => {
    const ended = once(terminal, 'close');
    terminal.stdin.write('\u0003');
    await ended;
  };
  return { said, end };
}
