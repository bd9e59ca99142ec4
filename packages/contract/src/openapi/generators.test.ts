// Workarounds in the documents for known limits of client generators. The recipes in docs/clients prove them with the
// generators themselves.
import { expect, test } from 'vitest';
import type { Json } from './testing/read-document.ts';
import { listObjects, listOperations, readDocument } from './testing/read-document.ts';

const documents = [
  ['3.1', readDocument('3.1.0')],
  ['3.0', readDocument('3.0.3')],
] as const;
const [[, newer], [, older]] = documents;

/** Every member of every component, by `Component.member`. */
const listMembers = ({ components }: (typeof documents)[number][1]): [string, Json][] =>
  Object.entries(components.schemas).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {}).map(([member, value]): [string, Json] => [
      `${name}.${member}`,
      value as Json,
    ]),
  );

test.each(documents)('%s names every enumeration and every map', (_version, document) => {
  const inline = listMembers(document).filter(
    ([, member]) => 'enum' in member || 'additionalProperties' in member,
  );
  expect(inline).toEqual([]);
  const parameters = listOperations(document).flatMap((operation) => operation.parameters);
  expect(parameters.filter(({ schema }) => 'enum' in schema)).toEqual([]);
});

test.each(documents)(
  '%s has no default in a member, which would make it required',
  (_version, document) => {
    expect(listMembers(document).filter(([, member]) => 'default' in member)).toEqual([]);
  },
);

test.each(documents)('%s has no choice between types but that of null', (_version, document) => {
  const choices = listObjects(document).filter(
    (node) => 'oneOf' in node || ('anyOf' in node && !isNullable(node as Json)),
  );
  expect(choices).toEqual([]);
  expect(document.components.schemas.ValidationProblem?.properties?.loc).toMatchObject({
    type: 'array',
    items: {},
  });
});

const isNullable = ({ anyOf }: Json): boolean =>
  anyOf?.length === 2 && Boolean(anyOf[0]?.$ref) && String(anyOf[1]?.type) === 'null';

const OPTIONAL_IN_REQUESTS = [
  'JoinRequest.status',
  'JoinRequest.crossplay_preferences',
  'JoinRequest.custom_data',
  'ClientSettingsInput.platform_id',
  'ClientSettingsInput.platform',
];

test('null is allowed for the optional members of a request and nowhere else', () => {
  const nullable = (test: (member: Json) => boolean, document = newer) =>
    listMembers(document)
      .filter(([, member]) => test(member))
      .map(([name]) => name);
  expect(nullable(isNullable)).toEqual(OPTIONAL_IN_REQUESTS);
  expect(nullable(({ nullable }) => Boolean(nullable), older)).toEqual(OPTIONAL_IN_REQUESTS);
});

test('the deprecated numbers of platforms are enumerated for requests', () => {
  expect(newer.components.schemas.PlatformId).toEqual({
    type: 'integer',
    format: 'int64',
    enum: [2, 4, 5, 9, 10, 11, 13, 16, 22, 24, 26, 28],
    'x-enum-varnames': [
      'Anon',
      'Amazon',
      'Steam',
      'PSN',
      'XboxLive',
      'Basic',
      'Google',
      'Twitch',
      'NintendoSwitch',
      'Apple',
      'NintendoNAID',
      'Epic',
    ],
    description: expect.stringContaining('5 Steam'),
  });
});
