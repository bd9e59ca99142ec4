// Explains the responses of a batch of concurrent commands by a sequential order. The ETags determine the order of the
// states; within one state, and for refusals, every order is tried.
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '@muster/contract';
import type { Command, Model } from './session-model.ts';
import { apply, describeModel, toModel } from './session-model.ts';

/** A session in a response, and the number of its state. */
export type Seen = { version: number; session: Session };

export type Answer = { command: Command } & ({ seen: Seen } | { refused: string });

/** The outcome is unknown and nothing can be concluded: a retry may help. */
const ANY_TIME = 'session_busy';

/**
 * Returns the newest state. Throws a sentence when two responses show one state differently, when a version is missing,
 * or when no order of the commands explains the states and refusals.
 */
export const linearize = (before: Seen, answers: readonly Answer[]): Seen => {
  const accepted = answers.flatMap((answer) => ('seen' in answer ? [answer] : []));
  const states = collectStates(before, accepted);
  const visited: Model[] = [toModel(before.session)];
  let last = before;
  for (let version = before.version; version <= before.version + states.size - 1; version += 1) {
    const session = states.get(version);
    if (!session) throw new Error(`No answer shows version ${version}, which is in between`);
    const commands = accepted.flatMap(({ command, seen }) =>
      seen.version === version ? [command] : [],
    );
    visited.push(...explainState(toModel(last.session), commands, toModel(session), version));
    last = { version, session };
  }
  for (const answer of answers) if ('refused' in answer) explainRefusal(answer, visited);
  return last;
};

const collectStates = (before: Seen, accepted: readonly { seen: Seen }[]): Map<number, Session> => {
  const states = new Map([[before.version, before.session]]);
  for (const { seen } of accepted) {
    const known = states.get(seen.version);
    if (known && !isDeepStrictEqual(known, seen.session)) {
      throw new Error(`One ETag, two sessions: ${JSON.stringify([known, seen.session])}`);
    }
    states.set(seen.version, seen.session);
  }
  return states;
};

/** All states that the commands may have met in an order that leads from `from` to `to`. */
const explainState = (
  from: Model,
  commands: readonly Command[],
  to: Model,
  version: number,
): Model[] => {
  const goal = describeModel(to);
  const visited: Model[] = [];
  for (const order of permutations(commands)) {
    const path = follow(from, order);
    if (path && describeModel(path.at(-1) ?? from) === goal) visited.push(...path);
  }
  if (visited.length === 0 && !(commands.length === 0 && describeModel(from) === goal)) {
    const text = JSON.stringify(commands);
    throw new Error(
      `No order of ${text} makes version ${version}:\n${describeModel(from)}\n→\n${goal}`,
    );
  }
  return visited;
};

/** The intermediate states; null when one of the commands would have been refused. */
const follow = (from: Model, commands: readonly Command[]): Model[] | null => {
  const path: Model[] = [];
  let model = from;
  for (const command of commands) {
    const outcome = apply(model, command);
    if ('refused' in outcome) return null;
    model = outcome.model;
    path.push(model);
  }
  return path;
};

const explainRefusal = (
  { command, refused }: { command: Command; refused: string },
  visited: readonly Model[],
): void => {
  const codes = visited.map((model) => {
    const outcome = apply(model, command);
    return 'refused' in outcome ? outcome.refused : 'accepted';
  });
  if (refused === ANY_TIME || codes.includes(refused)) return;
  throw new Error(`${JSON.stringify(command)} was refused as ${refused}, not one of ${codes}`);
};

function* permutations<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length <= 1) yield items;
  for (const [index, item] of items.length > 1 ? items.entries() : []) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}
