// Expectations that no answer of the service meets, or that only luck does.
import type { Mutation } from './mutation.ts';
import { first, inside } from './mutation.ts';
import { integer, regex } from './write-pact.ts';

const team = (interactions: Parameters<Mutation['apply']>[0]) =>
  inside(first(interactions).response.body, 'teams', 0);

export const BEHAVIOUR_MUTATIONS: Mutation[] = [
  {
    name: 'a status is expected that is never answered',
    of: 'join without a credential',
    apply: (interactions, random) => {
      const status = random.pick([201, 204, 400, 401]);
      first(interactions).response.status = status;
      return { rule: 'undeclared-status', words: [String(status), '403'] };
    },
  },
  {
    name: 'a response field is misspelt',
    of: 'join with types',
    apply: (interactions, random) => {
      const name = random.misspell('session_id');
      inside(first(interactions).response.body)[name] = 'x';
      return { rule: 'unknown-response-field', words: [name, 'session_id'] };
    },
  },
  {
    name: 'a nested response field is unknown',
    of: 'join with types',
    apply: (interactions, random) => {
      const name = random.pick(['playerUuid', 'display_name', 'rank']);
      inside(team(interactions), 'players', 0)[name] = 'x';
      return { rule: 'unknown-response-field', words: [`$.teams[0].players[0].${name}`] };
    },
  },
  {
    name: 'a response header is unknown',
    of: 'join of a full team',
    apply: (interactions, random) => {
      const name = random.pick(['X-Rate-Limit', 'Retry-Afterwards', 'ETag']);
      const { response } = first(interactions);
      response.headers = { ...response.headers, [name]: '1' };
      return { rule: 'unknown-response-header', words: [name, '409'] };
    },
  },
  {
    name: 'a response field has the wrong type',
    of: 'join beside',
    apply: (interactions) => {
      team(interactions).max_size = '4';
      return { rule: 'invalid-response-type', words: ['$.teams[0].max_size', 'integer'] };
    },
  },
  {
    name: 'a response field is none of the enumeration',
    of: 'join of a session with a dedicated instance',
    apply: (interactions, random) => {
      const status = random.pick(['open', 'running', 'Joinable']);
      inside(first(interactions).response.body, 'instance').join_status = status;
      return { rule: 'invalid-response-enum', words: ['$.instance.join_status', status] };
    },
  },
  {
    name: 'a matcher contradicts the type',
    of: 'join with types',
    apply: (interactions, random) => {
      const { rules } = first(interactions).response;
      const field = random.pick(['session_id', 'created', 'type']);
      if (rules?.body) rules.body[`$.${field}`] = integer;
      return { rule: 'matcher-contradicts-schema', words: [`$.${field}`, 'integer', 'string'] };
    },
  },
  {
    name: 'an expression goes beyond the enumeration',
    of: 'history of Items with every',
    apply: (interactions, random) => {
      const extra = random.pick(['remove', 'create', 'undelete']);
      const { rules } = first(interactions).response;
      const expression = `^(insert|update|delete|restore|${extra})$`;
      if (rules?.body) rules.body['$.transactions[*].operation'] = regex(expression);
      return { rule: 'matcher-wider-than-schema', words: ['operation', extra, 'restore'] };
    },
  },
  {
    name: 'a field is relied on that may be absent',
    of: 'join of a session with a dedicated instance',
    apply: (interactions, random) => {
      const name = random.pick(['allocation_id', 'match_id', 'instance_health']);
      const value = name === 'instance_health' ? 'healthy' : 'x';
      inside(first(interactions).response.body, 'instance')[name] = value;
      return { rule: 'relies-on-optional-field', words: [`$.instance.${name}`, 'optional'] };
    },
  },
];
