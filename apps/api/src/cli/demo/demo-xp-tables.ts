// The Xp tables of the demo: strictly increasing curves of experience, and edits that keep them so.
import type { Edit } from './demo-items.ts';
import type { SeededRandom } from './demo-random.ts';

type Threshold = { level: number; xp: number };

export type XpFields = {
  legacy_xp_id?: number;
  name: string;
  description: string;
  xp_thresholds: Threshold[];
  custom_data: Record<string, string>;
};

const NAMES = [
  'Hero Levels',
  'Soldier Levels',
  'Mage Levels',
  'Beast Levels',
  'Weapon Mastery',
  'Crafting Mastery',
  'Guild Levels',
  'Arena Rank',
  'Battle Pass Season 1',
  'Battle Pass Season 2',
  'Saison d’hiver',
  'Übungsgelände',
];
const DESCRIPTIONS = [
  'Experience that each level begins at.',
  'Tuned so that a week of play reaches level ten.',
  'Steep at the end, on purpose.',
];
const FIRST_LEGACY_ID = 900;
const MAX_LEVELS = 60;

export const createXpTable = (random: SeededRandom, index: number): XpFields => {
  const levels = random.integer(10, 30);
  const base = random.integer(4, 12) * 25;
  const exponent = 1.4 + random.fraction() * 0.6;
  return {
    ...(index % 2 === 0 && { legacy_xp_id: FIRST_LEGACY_ID + index }),
    name: NAMES[index] ?? `Xp table ${index}`,
    description: random.pick(DESCRIPTIONS),
    xp_thresholds: Array.from({ length: levels }, (_, step) => ({
      level: step + 1,
      xp: Math.round(base * step ** exponent),
    })),
    custom_data: { curve: exponent.toFixed(2), season: random.pick(['spring', 'autumn', 'all']) },
  };
};

export const editXpTable = (random: SeededRandom, fields: XpFields): Edit<XpFields> => {
  const roll = random.fraction();
  if (roll < 0.45) return { fields: scale(random, fields), reason: 'Levelling pace' };
  if (roll < 0.75) return { fields: addLevel(random, fields), reason: 'New level cap' };
  if (roll < 0.85) return { fields: rename(fields) };
  const season = random.pick(['spring', 'summer', 'autumn', 'winter', 'all']);
  return { fields: { ...fields, custom_data: { ...fields.custom_data, season } } };
};

/** Rounding could make two thresholds equal, so each one is raised above the previous one. */
const scale = (random: SeededRandom, fields: XpFields): XpFields => {
  const factor = random.pick([0.9, 0.95, 1.05, 1.1]);
  let below = -1;
  const thresholds = fields.xp_thresholds.map(({ level, xp }) => {
    below = Math.max(below + 1, Math.round(xp * factor));
    return { level, xp: below };
  });
  return { ...fields, xp_thresholds: thresholds };
};

export const addLevel = (random: SeededRandom, fields: XpFields): XpFields => {
  const last = fields.xp_thresholds.at(-1) ?? { level: 0, xp: 0 };
  if (last.level >= MAX_LEVELS) return fields;
  const next = { level: last.level + 1, xp: last.xp + random.integer(4, 40) * 25 };
  return { ...fields, xp_thresholds: [...fields.xp_thresholds, next] };
};

const rename = (fields: XpFields): XpFields => {
  const isOld = fields.name.endsWith(' (classic)');
  const name = isOld ? fields.name.slice(0, -' (classic)'.length) : `${fields.name} (classic)`;
  return { ...fields, name };
};
