// Copies of the pacts for the native verifier, in which every interaction carries its number: in its description, in a
// header of its request and in its only provider state. So each request, state and result is known for whose it is.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PactFile } from '../pact-file.ts';
import type { InteractionJob } from './interaction-job.ts';

export const INTERACTION_HEADER = 'x-muster-pact-interaction';

type Json = Record<string, unknown>;

/** Writes one file per pact into `folder` and gives their paths. */
export const preparePacts = async (
  jobs: readonly InteractionJob[],
  folder: string,
): Promise<string[]> => {
  const pacts = [...new Set(jobs.map(({ pact }) => pact))];
  return Promise.all(
    pacts.map(async (pact, index) => {
      const path = join(folder, `pact-${index}.json`);
      const own = jobs.filter((job) => job.pact === pact);
      await writeFile(path, JSON.stringify(await rewrite(pact, own)));
      return path;
    }),
  );
};

const rewrite = async (pact: PactFile, jobs: readonly InteractionJob[]): Promise<Json> => {
  const text = (await readFile(pact.path, 'utf8')).replace(/^\uFEFF/, '');
  const { metadata, consumer, provider } = JSON.parse(text) as Json;
  const version = Number.parseInt(pact.specification, 10);
  return { consumer, provider, metadata, interactions: jobs.map((job) => number(job, version)) };
};

const number = ({ id, interaction }: InteractionJob, version: number): Json => {
  const name = String(id);
  const {
    providerState: _state,
    provider_state: _oldState,
    providerStates: _states,
    key: _key,
    ...content
  } = interaction.content;
  const request = (content.request ?? {}) as Json;
  const state = version >= 3 ? { providerStates: [{ name }] } : { providerState: name };
  return {
    ...content,
    ...state,
    description: name,
    request: {
      ...request,
      headers: {
        ...((request.headers ?? {}) as Json),
        [INTERACTION_HEADER]: version >= 4 ? [name] : name,
      },
    },
  };
};
