// Runs muster-pact's commands in this process and keeps what they write.
import { runCommand } from '../src/cli/commands.ts';
import { Problem } from '../src/findings.ts';

type KitRun = { code: number; out: string; err: string };

export const runKit = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<KitRun> => {
  let out = '';
  let err = '';
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    colours: false,
    rewrites: false,
    env,
    signal: new AbortController().signal,
  };
  try {
    return { code: await runCommand(args, terminal), out, err };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { code: 2, out, err: `${err}${error.message}\n` };
  }
};
