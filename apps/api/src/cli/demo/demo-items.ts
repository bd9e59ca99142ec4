// The Items of the demo: their first version, and the edits of people over a year.
import type { ItemType } from '@muster/contract';
import type { SeededRandom } from './demo-random.ts';

export type ItemFields = {
  legacy_item_id?: number;
  name: string;
  description: string;
  item_type: ItemType;
  tags: string[];
  level_xp_table_id?: string;
  custom_data: Record<string, string>;
};

/** In every ten: four units, three recipes, one reduced recipe and two entitlements. */
const TYPE_PATTERN: readonly ItemType[] = [
  'unit',
  'recipe',
  'entitlement',
  'unit',
  'recipe_with_price_reduction',
  'unit',
  'recipe',
  'entitlement',
  'unit',
  'recipe',
];
const TAGS = ['starter', 'seasonal', 'shop', 'event', 'tradable', 'limited', 'crafting', 'pvp'];
const RARITIES = ['common', 'uncommon', 'rare', 'epic', 'legendary'];
const FIRST_LEGACY_ID = 40_000;

/** `index` in the whole list decides type, name and legacy id, in every sandbox alike. */
export const createItem = (
  random: SeededRandom,
  index: number,
  xpTableIds: readonly string[],
): ItemFields => {
  const type = TYPE_PATTERN[index % TYPE_PATTERN.length] ?? 'unit';
  const ofType = TYPE_PATTERN.filter((other) => other === type).length;
  const rounds = Math.floor(index / TYPE_PATTERN.length);
  const before = TYPE_PATTERN.slice(0, index % TYPE_PATTERN.length);
  const place = rounds * ofType + before.filter((other) => other === type).length;
  return {
    ...(index % 3 === 0 && { legacy_item_id: FIRST_LEGACY_ID + index }),
    name: nameItem(type, place),
    description: random.pick(WORDS[type].descriptions),
    item_type: type,
    tags: random.shuffle(TAGS).slice(0, random.integer(1, 3)),
    ...(type === 'unit' && random.chance(0.8) && { level_xp_table_id: random.pick(xpTableIds) }),
    custom_data: createCustomData(random, type),
  };
};

const createCustomData = (random: SeededRandom, type: ItemType): Record<string, string> => ({
  price: String(random.integer(4, 90) * 10),
  currency: type === 'entitlement' ? 'crowns' : 'gold',
  rarity: random.pick(RARITIES),
  ...(type === 'unit' && {
    attack: String(random.integer(6, 40)),
    health: String(random.integer(40, 260)),
  }),
  ...(type === 'recipe_with_price_reduction' && {
    reduction_percent: String(random.integer(1, 8) * 5),
  }),
});

export type Edit<Fields> = { fields: Fields; reason?: string };

/** One change as a person would make it; sometimes without effect. */
export const editItem = (
  random: SeededRandom,
  fields: ItemFields,
  xpTableIds: readonly string[],
): Edit<ItemFields> => {
  const roll = random.fraction();
  if (roll < 0.4) return { fields: changeNumber(random, fields, 'price', 10) };
  if (roll < 0.65) return { fields: rebalance(random, fields), reason: 'Balance pass' };
  if (roll < 0.8) return { fields: changeTags(random, fields) };
  if (roll < 0.92) return { fields: rewrite(random, fields), reason: 'Copy review' };
  if (fields.item_type !== 'unit') return { fields: changeNumber(random, fields, 'price', 5) };
  return { fields: { ...fields, level_xp_table_id: random.pick(xpTableIds) } };
};

/** Items of an older catalogue get their legacy ids later, by an update. */
export const giveLegacyId = (fields: ItemFields, index: number): Edit<ItemFields> => ({
  fields: { legacy_item_id: FIRST_LEGACY_ID + index, ...fields },
  reason: 'Matched with the old catalogue',
});

export const renameItem = (random: SeededRandom, fields: ItemFields): Edit<ItemFields> => {
  const [first = '', ...rest] = fields.name.split(' ');
  const name = ADJECTIVES.includes(first)
    ? [random.pick(ADJECTIVES), ...rest].join(' ')
    : toggleSuffix(fields.name);
  return { fields: { ...fields, name }, reason: 'Renamed after the naming review' };
};

const toggleSuffix = (name: string): string =>
  name.endsWith(' II') ? name.slice(0, -3) : `${name} II`;

export const isOnSale = ({ custom_data }: ItemFields): boolean => 'list_price' in custom_data;

export const discountItem = (fields: ItemFields, percent: number): ItemFields => {
  const { price: listPrice = '0', ...others } = fields.custom_data;
  const price = Math.max(1, Math.round((Number(listPrice) * (100 - percent)) / 100));
  return { ...fields, custom_data: { price: String(price), list_price: listPrice, ...others } };
};

export const endSale = (fields: ItemFields): ItemFields => {
  const { list_price: price = '0', ...others } = fields.custom_data;
  return { ...fields, custom_data: { ...others, price } };
};

/** By at least one. */
export const raisePrice = (fields: ItemFields, percent: number): ItemFields => {
  const price = Math.ceil((Number(fields.custom_data.price) * (100 + percent)) / 100) + 1;
  return { ...fields, custom_data: { ...fields.custom_data, price: String(price) } };
};

const rebalance = (random: SeededRandom, fields: ItemFields): ItemFields => {
  if (fields.item_type === 'unit') {
    return random.chance(0.5)
      ? changeNumber(random, fields, 'attack', 1)
      : changeNumber(random, fields, 'health', 5);
  }
  return changeNumber(random, fields, 'price', 5);
};

/** A few steps up or down, never below one step. */
const changeNumber = (
  random: SeededRandom,
  fields: ItemFields,
  key: string,
  step: number,
): ItemFields => {
  const moved = Number(fields.custom_data[key]) + random.pick([-3, -2, -1, 1, 2, 3]) * step;
  const value = String(Math.max(step, moved));
  return { ...fields, custom_data: { ...fields.custom_data, [key]: value } };
};

const changeTags = (random: SeededRandom, fields: ItemFields): ItemFields => {
  const tag = random.pick(TAGS);
  const others = fields.tags.filter((other) => other !== tag);
  const tags = others.length === fields.tags.length ? [...fields.tags, tag] : others;
  return { ...fields, tags };
};

const rewrite = (random: SeededRandom, fields: ItemFields): ItemFields => ({
  ...fields,
  description: random.pick(WORDS[fields.item_type].descriptions),
});

const ADJECTIVES = [
  'Ember',
  'Frost',
  'Gilded',
  'Hollow',
  'Iron',
  'Jade',
  'Lunar',
  'Mossy',
  'Night',
  'Obsidian',
  'Pale',
  'Quick',
  'Rusted',
  'Silver',
  'Thorn',
  'Umber',
  'Verdant',
  'Wild',
  'Ashen',
  'Bright',
  'Copper',
  'Dusk',
  'Elder',
  'Storm',
];

type Words = {
  nouns: readonly string[];
  /** Names with letters beyond ASCII, which filters must fold and pages must show. */
  foreign: readonly string[];
  descriptions: readonly string[];
};

/** No list of nouns has a common factor with the number of adjectives, so that pairs repeat late. */
const WORDS: Record<ItemType, Words> = {
  unit: {
    nouns: [
      'Archer',
      'Lancer',
      'Warden',
      'Alchemist',
      'Rider',
      'Golem',
      'Sapper',
      'Druid',
      'Corsair',
      'Falconer',
      'Sentinel',
    ],
    foreign: ['Крысолов', 'Jötunn-Wächter', '霜の剣士', 'Şimşek Okçusu', 'Chevalier d’Émeraude'],
    descriptions: [
      'Holds the line until the others are in place.',
      'Strikes first, from a distance, and moves on.',
      'Slow, patient, and very hard to move.',
      'Supports the team and heals between rounds.',
    ],
  },
  recipe: {
    nouns: [
      'Blade Recipe',
      'Bow Recipe',
      'Shield Recipe',
      'Tonic Recipe',
      'Stew Recipe',
      'Lantern Recipe',
      'Cloak Recipe',
    ],
    foreign: ['Éclair de givre', 'Straßensuppe', 'Señuelo de plata', '火龍の盾', 'Smörgås på färd'],
    descriptions: [
      'Teaches how to make one at any workbench.',
      'A page out of an old workshop book.',
      'Needs a forge of the second tier.',
    ],
  },
  recipe_with_price_reduction: {
    nouns: ['Armour Set', 'Potion Crate', 'Rune Bundle', 'Arrow Bundle', 'Ore Crate'],
    foreign: ['Überraschungskiste', 'Żelazny zestaw'],
    descriptions: [
      'Cheaper with every piece that is already owned.',
      'A bundle whose price falls during events.',
    ],
  },
  entitlement: {
    nouns: ['Skin', 'Banner', 'Emote', 'Season Pass', 'Founder Pack', 'Mount', 'Title'],
    foreign: ['Pass saison d’été', 'Χειμερινός θρόνος', 'Coração de Vidro'],
    descriptions: [
      'Belongs to the account, on every platform.',
      'Granted once; cannot be traded.',
      'Shown to the other players of a session.',
    ],
  },
};

/** Every sixth name of a type is a foreign one, as long as there are any. */
const nameItem = (type: ItemType, index: number): string => {
  const { nouns, foreign } = WORDS[type];
  const special = index % 6 === 3 ? foreign[(index - 3) / 6] : undefined;
  const adjective = ADJECTIVES[(index * 5) % ADJECTIVES.length];
  return special ?? `${adjective} ${nouns[index % nouns.length]}`;
};
