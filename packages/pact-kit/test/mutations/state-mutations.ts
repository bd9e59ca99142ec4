// Wrong uses of provider states, and pacts without interactions.
import type { Mutation } from './mutation.ts';
import { inside } from './mutation.ts';

export const STATE_MUTATIONS: Mutation[] = [
  {
    name: 'a provider state is misspelt',
    of: 'join of no session',
    apply: (interaction, random) => {
      const name = random.misspell('no such platform session');
      interaction.states = [{ name }];
      return { rule: 'unknown-provider-state', words: [name, 'no such platform session'] };
    },
  },
  {
    name: 'a provider state is not in the catalogue',
    of: 'join with types',
    apply: (interaction, random) => {
      const name = random.pick(['user 7 exists', 'the lobby is open', 'default']);
      interaction.states.push({ name });
      return { rule: 'unknown-provider-state', words: [name] };
    },
  },
  {
    name: 'a state parameter is misspelt',
    of: 'join of a session that is closed',
    apply: (interaction, random) => {
      const name = random.misspell('joinable');
      interaction.states = [{ name: 'a session', params: { [name]: false } }];
      return { rule: 'unknown-state-parameter', words: [name, 'joinable'] };
    },
  },
  {
    name: 'a nested state parameter is misspelt',
    of: 'join with an old client',
    apply: (interaction, random) => {
      const name = random.misspell('version');
      const instance = { version: '2.0.0', [name]: '2.0.0' };
      interaction.states = [{ name: 'a session', params: { instance } }];
      return { rule: 'unknown-state-parameter', words: [`instance.${name}`, '"version"'] };
    },
  },
  {
    name: 'a state parameter is missing',
    of: 'join of a full team',
    apply: (interaction, random) => {
      const team = random.below(2);
      delete inside(interaction.states, 0, 'params', 'teams', team).max_size;
      return { rule: 'missing-state-parameter', words: [`teams.${team}.max_size`, 'a session'] };
    },
  },
  {
    name: 'a state parameter has a value that does not exist',
    of: 'join of a closed instance',
    apply: (interaction, random) => {
      const join_status = random.pick(['open', 'full', 'Closed']);
      interaction.states = [{ name: 'a session', params: { instance: { join_status } } }];
      return { rule: 'invalid-state-parameter', words: ['instance.join_status'] };
    },
  },
  {
    name: 'a state asks for a history that cannot be',
    of: 'history of Items with every',
    apply: (interaction, random) => {
      const versions = random.pick([['update'], ['insert', 'delete', 'update']]);
      inside(interaction.states, 0, 'params').versions = versions;
      return { rule: 'invalid-state-parameter', words: ['versions', 'insert'] };
    },
  },
  {
    name: 'the pact has no interaction',
    of: 'join with types',
    apply: (_interaction, _random, interactions) => {
      interactions.length = 0;
      return { rule: 'no-interaction-found', words: ['no interaction'] };
    },
  },
];
