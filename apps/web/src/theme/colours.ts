// The colours: a petrol for what can be done, and greys that lean towards it, so that pages stay quiet.
import type { MantineColorsTuple } from '@mantine/core';

export const petrol: MantineColorsTuple = [
  '#e9f6f5',
  '#d3eae9',
  '#a5d5d3',
  '#74bfbc',
  '#4dada9',
  '#2f9692',
  '#1c807e',
  '#0d6a6c',
  '#085658',
  '#044345',
];

export const grey: MantineColorsTuple = [
  '#f7f8f7',
  '#eff1f0',
  '#e3e7e5',
  '#d2d8d6',
  '#b4bdbb',
  '#8f9a98',
  '#6b7775',
  '#4c5856',
  '#323c3b',
  '#1c2424',
];

/** Mantine's scale of the dark scheme: text first, then lines, then surfaces. */
export const dark: MantineColorsTuple = [
  '#d5dcdb',
  '#b3bdbc',
  '#95a1a0',
  '#6d7a79',
  '#425050',
  '#334040',
  '#233030',
  '#141d1e',
  '#0f1718',
  '#0a1011',
];

/** Mantine's own are too light behind white text, and as text on their own light tones. */
export const tones: Record<'red' | 'yellow' | 'green' | 'blue', MantineColorsTuple> = {
  red: [
    '#fdeae7',
    '#fad3ce',
    '#f3a8a0',
    '#ec7b70',
    '#e4564a',
    '#d73c30',
    '#c42e24',
    '#ad251c',
    '#8f1d16',
    '#6f1510',
  ],
  yellow: [
    '#fdf6e7',
    '#f9e9c8',
    '#f0d08d',
    '#e6b654',
    '#d99c25',
    '#bf820c',
    '#a06a05',
    '#7a4a00',
    '#633c00',
    '#4a2d00',
  ],
  green: [
    '#e9f7ee',
    '#cfeeda',
    '#9fdcb5',
    '#6cc88d',
    '#45b56d',
    '#2c9c54',
    '#228345',
    '#1d6b3a',
    '#17552e',
    '#104023',
  ],
  blue: [
    '#eaf3fb',
    '#d0e4f6',
    '#a2c9ec',
    '#72abe0',
    '#4a90d4',
    '#2f78c0',
    '#2464a3',
    '#1d5182',
    '#174067',
    '#102f4d',
  ],
};
