// Runs named steps one after the other, all of them even when one fails, and sums them up.
import { runProgram } from '../run/run-program.mjs';
import { projectEnvironment } from '../setup/runtime.mjs';

/** A step is fine when it answers 0. @typedef {{ name: string, run: () => Promise<number> }} Step */
/** @typedef {{ name: string, code: number, seconds: string }} Outcome */

/** A step that is a program of its own. @param {string} command @param {string[]} args */
export function program(command, args) {
  return () => runProgram({ command, args, env: projectEnvironment() });
}

/** A step that lists what is wrong, one sentence each. @param {() => string[]} find */
export function problems(find) {
  return async () => {
    const sentences = find();
    for (const sentence of sentences) console.log(`  ${sentence}`);
    return sentences.length > 0 ? 1 : 0;
  };
}

/** @param {Step[]} steps @returns {Promise<number>} the process's exit code */
export async function runSteps(steps) {
  const outcomes = [];
  for (const step of steps) outcomes.push(await runStep(step));
  const lines = outcomes.map(({ name, code, seconds }) => {
    return `  ${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(18)} ${seconds} s`;
  });
  const failed = outcomes.filter(({ code }) => code !== 0);
  console.log(`\nThe check\n${lines.join('\n')}`);
  return failed.length > 0 ? 1 : 0;
}

/** @param {Step} step @returns {Promise<Outcome>} */
async function runStep({ name, run }) {
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const code = await run().catch((error) => {
    console.log(`  ${error.stack}`);
    return 1;
  });
  return { name, code, seconds: ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6) };
}
