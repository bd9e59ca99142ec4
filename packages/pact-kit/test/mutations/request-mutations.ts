// Requests that the contract does not have.
import type { Mutation } from './mutation.ts';
import { inside } from './mutation.ts';
import { regex } from './write-pact.ts';

export const REQUEST_MUTATIONS: Mutation[] = [
  {
    name: 'a segment of the path is misspelt',
    of: 'history of Items with every',
    apply: ({ request }, random) => {
      request.path = request.path.replace('history', random.misspell('history'));
      return {
        rule: 'unknown-path',
        words: [request.path, '/v1/history/sandbox/{sandbox_id}/item/'],
      };
    },
  },
  {
    name: 'a segment of the path is left out',
    of: 'join with an old client',
    apply: ({ request }, random) => {
      request.path = request.path.replace(random.pick(['/v1', '/platform-session', '/player']), '');
      return { rule: 'unknown-path', words: [request.path, '/player/{player_uuid}'] };
    },
  },
  {
    name: 'a history is posted',
    of: 'history of Items page by page',
    apply: ({ request }, random) => {
      const method = random.pick(['POST', 'PUT', 'DELETE']);
      request.method = method;
      return { rule: 'wrong-method', words: [method, 'GET'] };
    },
  },
  {
    name: 'a join is sent with the wrong method',
    of: 'join beside',
    apply: ({ request }, random) => {
      const method = random.pick(['PUT', 'PATCH', 'GET']);
      request.method = method;
      return { rule: 'wrong-method', words: [method, 'POST'] };
    },
  },
  {
    name: 'a query parameter is misspelt',
    of: 'history of Items page by page',
    apply: ({ request }, random) => {
      const name = random.misspell('sort_order');
      request.query = { [name]: ['asc'], item_ids: ['a'], page_size: ['2'] };
      return { rule: 'unknown-query-parameter', words: [name, 'sort_order'] };
    },
  },
  {
    name: 'a query parameter is written in camel case',
    of: 'history of Xp tables',
    apply: ({ request }) => {
      request.query = { name: ['mage'], pageSize: ['2'] };
      return { rule: 'unknown-query-parameter', words: ['pageSize', 'page_size'] };
    },
  },
  {
    name: 'a list is sent with empty brackets',
    of: 'history of Items with every',
    apply: ({ request }, random) => {
      const name = random.pick(['item_ids', 'legacy_item_ids']);
      request.query = { [`${name}[]`]: ['1', '2'] };
      return { rule: 'bracketed-array', words: [`${name}[]`, `${name}=1&${name}=`] };
    },
  },
  {
    name: 'a list is sent with numbered brackets',
    of: 'history of Xp tables',
    apply: ({ request }) => {
      request.query = { name: ['mage'], 'xp_ids[0]': ['a'] };
      return { rule: 'bracketed-array', words: ['xp_ids[0]', 'xp_ids=a'] };
    },
  },
  {
    name: 'a query value is out of bounds',
    of: 'history of Items page by page',
    apply: ({ request, response }, random) => {
      const value = random.pick(['0', '1001', '5000']);
      request.query = { ...request.query, page_size: [value] };
      // A page that is as large holds every version, so nothing may rest on the cursor.
      delete inside(response.body, 'page_meta').cursor;
      return { rule: 'invalid-query-bounds', words: ['page_size', value] };
    },
  },
  {
    name: 'a query value is none of the enumeration',
    of: 'history of Items page by page',
    apply: ({ request }, random) => {
      const value = random.pick(['newest', 'ASC', 'descending']);
      request.query = { ...request.query, sort_order: [value] };
      return { rule: 'invalid-query-enum', words: ['sort_order', value, 'asc'] };
    },
  },
  {
    name: 'a scalar query parameter is given twice',
    of: 'history of Xp tables',
    apply: ({ request }) => {
      request.query = { name: ['mage', 'warrior'] };
      return { rule: 'repeated-query-parameter', words: ['name', '2 times'] };
    },
  },
  {
    name: 'a list of integers has a word in it',
    of: 'history of Items with every',
    apply: ({ request }) => {
      request.query = { legacy_item_ids: ['7', 'seven'] };
      return { rule: 'invalid-query-type', words: ['legacy_item_ids', 'seven', 'integer'] };
    },
  },
  {
    name: 'a request header is unknown',
    of: 'join with types',
    apply: ({ request }, random) => {
      const name = random.pick(['X-Player-Token', 'X-Api-Version', 'If-None-Match']);
      request.headers = { ...request.headers, [name]: '1' };
      return { rule: 'unknown-request-header', words: [name] };
    },
  },
  {
    name: 'the body is sent as something else than JSON',
    of: 'join with types',
    apply: ({ request }, random) => {
      const type = random.pick(['text/plain', 'application/x-www-form-urlencoded']);
      request.headers = { 'Content-Type': type };
      return { rule: 'wrong-content-type', words: ['Content-Type', type, 'application/json'] };
    },
  },
  {
    name: 'a body field is unknown',
    of: 'join with types',
    apply: ({ request }, random) => {
      const [name, meant] = random.pick([
        ['teamId', 'team_id'],
        ['clientVersion', 'client_version'],
        ['crossplay', 'crossplay_preferences'],
      ] as const);
      inside(request, 'body')[name] = 1;
      const words = name === 'crossplay' ? [name] : [name, meant];
      return { rule: 'unknown-request-field', words };
    },
  },
  {
    name: 'a required body field is missing',
    of: 'join with an old client',
    apply: ({ request, response }) => {
      response.status = 200;
      response.body = { joinable: true };
      delete response.rules;
      delete inside(request, 'body').client_version;
      return { rule: 'missing-request-field', words: ['$.client_version', 'required'] };
    },
  },
  {
    name: 'a body field has the wrong type',
    of: 'join with types',
    apply: ({ request }) => {
      inside(request, 'body').team_id = '0';
      return { rule: 'invalid-request-type', words: ['$.team_id', 'string', 'integer'] };
    },
  },
  {
    name: 'a body field is none of the enumeration',
    of: 'join with types',
    apply: ({ request }, random) => {
      const input = random.pick(['keyboard', 'mouse', 'Gamepad']);
      inside(request, 'body', 'client_settings').input = input;
      return { rule: 'invalid-request-enum', words: ['$.client_settings.input', input, 'gamepad'] };
    },
  },
  {
    name: 'a version is not a semantic version',
    of: 'join with types',
    apply: ({ request }, random) => {
      const version = random.pick(['1.4', 'v1.4.2', '1.04.2']);
      inside(request, 'body').client_version = version;
      return { rule: 'invalid-request-format', words: ['$.client_version', version] };
    },
  },
  {
    name: 'the client names no platform',
    of: 'join with types',
    apply: ({ request }) => {
      delete inside(request, 'body', 'client_settings').platform;
      return { rule: 'refused-request', words: ['client_settings', 'platform'] };
    },
  },
  {
    name: 'the platform of the path does not exist',
    of: 'join with types',
    apply: ({ request }, random) => {
      const platform = random.misspell('Steam');
      request.path = request.path.replace('Steam', platform);
      return { rule: 'invalid-path-enum', words: ['platform', platform, 'Steam'] };
    },
  },
  {
    name: 'the player of the path is no UUID',
    of: 'join with types',
    apply: ({ request }, random) => {
      const player = random.pick(['player-1', '4711', 'me']);
      request.path = request.path.replace(/[^/]+$/, player);
      return { rule: 'invalid-path-format', words: ['player_uuid', player, 'UUID'] };
    },
  },
  {
    name: 'a matcher lets the consumer send what is refused',
    of: 'join with types',
    apply: ({ request }, random) => {
      const field = random.pick(['platform', 'input']);
      request.rules = { body: { [`$.client_settings.${field}`]: regex('^\\w+$') } };
      return {
        rule: 'matcher-wider-than-schema',
        words: [`$.client_settings.${field}`, 'accepts'],
      };
    },
  },
];
