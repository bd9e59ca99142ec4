// Expectations that no answer of the service meets, or that only luck does.
import type { Mutation } from './mutation.ts';
import { inside } from './mutation.ts';
import type { Interaction } from './write-pact.ts';
import { integer, regex } from './write-pact.ts';

const team = ({ response }: Interaction) => inside(response.body, 'teams', 0);

export const BEHAVIOUR_MUTATIONS: Mutation[] = [
  {
    name: 'a status is expected that is never answered',
    of: 'join without a credential',
    apply: ({ response }, random) => {
      const status = random.pick([201, 204, 400, 401]);
      response.status = status;
      return { rule: 'undeclared-status', words: [String(status), '403'] };
    },
  },
  {
    name: 'a response field is misspelt',
    of: 'join with types',
    apply: ({ response }, random) => {
      const name = random.misspell('session_id');
      inside(response.body)[name] = 'x';
      return { rule: 'unknown-response-field', words: [name, 'session_id'] };
    },
  },
  {
    name: 'a nested response field is unknown',
    of: 'join with types',
    apply: (interaction, random) => {
      const name = random.pick(['playerUuid', 'display_name', 'rank']);
      inside(team(interaction), 'players', 0)[name] = 'x';
      return { rule: 'unknown-response-field', words: [`$.teams[0].players[0].${name}`] };
    },
  },
  {
    name: 'a response header is unknown',
    of: 'join of a full team',
    apply: ({ response }, random) => {
      const name = random.pick(['X-Rate-Limit', 'Retry-Afterwards', 'ETag']);
      response.headers = { ...response.headers, [name]: '1' };
      return { rule: 'unknown-response-header', words: [name, '409'] };
    },
  },
  {
    name: 'a response field has the wrong type',
    of: 'join beside',
    apply: (interaction) => {
      team(interaction).max_size = '4';
      return { rule: 'invalid-response-type', words: ['$.teams[0].max_size', 'integer'] };
    },
  },
  {
    name: 'a response field is none of the enumeration',
    of: 'join of a session with a dedicated instance',
    apply: ({ response }, random) => {
      const status = random.pick(['open', 'running', 'Joinable']);
      inside(response.body, 'instance').join_status = status;
      return { rule: 'invalid-response-enum', words: ['$.instance.join_status', status] };
    },
  },
  {
    name: 'a matcher contradicts the type',
    of: 'join with types',
    apply: ({ response: { rules } }, random) => {
      const field = random.pick(['session_id', 'created', 'type']);
      if (rules?.body) rules.body[`$.${field}`] = integer;
      return { rule: 'matcher-contradicts-schema', words: [`$.${field}`, 'integer', 'string'] };
    },
  },
  {
    name: 'an expression goes beyond the enumeration',
    of: 'history of Items with every',
    apply: ({ response: { rules } }, random) => {
      const extra = random.pick(['remove', 'create', 'undelete']);
      const expression = `^(insert|update|delete|restore|${extra})$`;
      if (rules?.body) rules.body['$.transactions[*].operation'] = regex(expression);
      return { rule: 'matcher-wider-than-schema', words: ['operation', extra, 'restore'] };
    },
  },
  {
    name: 'a field is relied on that may be absent',
    of: 'join of a session with a dedicated instance',
    apply: ({ response }, random) => {
      const name = random.pick(['allocation_id', 'match_id', 'instance_health']);
      const value = name === 'instance_health' ? 'healthy' : 'x';
      inside(response.body, 'instance')[name] = value;
      return { rule: 'relies-on-optional-field', words: [`$.instance.${name}`, 'optional'] };
    },
  },
];
