// The words that the demo's Items are named with.
import type { ItemType } from '@muster/contract';

export const ADJECTIVES = [
  ...['Ember', 'Frost', 'Gilded', 'Hollow', 'Iron', 'Jade', 'Lunar', 'Mossy', 'Night', 'Obsidian'],
  ...['Pale', 'Quick', 'Rusted', 'Silver', 'Thorn', 'Umber', 'Verdant', 'Wild', 'Ashen', 'Bright'],
  ...['Copper', 'Dusk', 'Elder', 'Storm'],
];

type Words = {
  nouns: readonly string[];
  /** Names with letters beyond ASCII, which filters must fold and pages must show. */
  foreign: readonly string[];
  descriptions: readonly string[];
};

/** No list of nouns shares a factor with the number of adjectives: pairs repeat late. */
export const WORDS: Record<ItemType, Words> = {
  unit: {
    nouns: [
      ...['Archer', 'Lancer', 'Warden', 'Alchemist', 'Rider', 'Golem', 'Sapper', 'Druid'],
      ...['Corsair', 'Falconer', 'Sentinel'],
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
      ...['Blade Recipe', 'Bow Recipe', 'Shield Recipe', 'Tonic Recipe', 'Stew Recipe'],
      ...['Lantern Recipe', 'Cloak Recipe'],
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

/** Every sixth name of a type is a foreign one while there are any. */
export const nameItem = (type: ItemType, index: number): string => {
  const { nouns, foreign } = WORDS[type];
  const special = index % 6 === 3 ? foreign[(index - 3) / 6] : undefined;
  const adjective = ADJECTIVES[(index * 5) % ADJECTIVES.length];
  return special ?? `${adjective} ${nouns[index % nouns.length]}`;
};
