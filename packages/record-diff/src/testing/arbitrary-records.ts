// Records for property tests: from few values, so that two of them often share parts.
import fc from 'fast-check';

const words = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__', 'constructor', '');

const thresholds = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3 })), {
    selector: ([level]) => level,
  })
  .map((levels) =>
    levels.sort(([left], [right]) => left - right).map(([level, xp]) => ({ level, xp })),
  );

const customData = fc
  .uniqueArray(fc.tuple(words, words), { selector: ([key]) => key })
  .map((entries) => Object.fromEntries(entries) as Record<string, string>);

/** `tags` may hold a tag twice, and `xp_thresholds` what no schema accepts yet. */
export const arbitraryRecord = fc.record(
  {
    name: words,
    description: words,
    tags: fc.oneof(fc.array(words, { maxLength: 5 }), fc.uniqueArray(words)),
    xp_thresholds: fc.oneof(
      thresholds,
      fc.array(fc.record({ level: fc.integer({ min: 0, max: 2 }), xp: fc.nat(2) }), {
        maxLength: 3,
      }),
    ),
    custom_data: customData,
  },
  { requiredKeys: ['name'] },
);
