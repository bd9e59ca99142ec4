// The look of every Mantine component: dense, system fonts, small radii, contrasts that pass WCAG 2.2 AA.
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { createTheme } from '@mantine/core';
import { dark, grey, petrol, tones } from './colours.ts';

const SYSTEM_FONTS =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, monospace';

/** A tooltip speaks to the mouse, to the keyboard and to a finger. */
const EVERYONE = { hover: true, focus: true, touch: true };
const small = { defaultProps: { size: 'xs' } };
const closable = { closeButtonProps: { 'aria-label': 'Close' } };

export const theme = createTheme({
  colors: { petrol, gray: grey, dark, ...tones },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  white: '#ffffff',
  black: '#151c1c',
  fontFamily: SYSTEM_FONTS,
  fontFamilyMonospace: MONOSPACE,
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: small,
    ActionIcon: { defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } },
    TextInput: small,
    NumberInput: small,
    PasswordInput: small,
    Textarea: small,
    JsonInput: small,
    Select: { defaultProps: { size: 'xs', allowDeselect: false, checkIconPosition: 'right' } },
    NativeSelect: small,
    MultiSelect: small,
    TagsInput: small,
    Autocomplete: small,
    Checkbox: small,
    Radio: small,
    Switch: small,
    // Its letters would fade for a while from a scheme's colours to the other's, unreadable in between.
    SegmentedControl: { defaultProps: { size: 'xs', transitionDuration: 0 } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: EVERYONE } },
    // Their header is a <header> by default, which axe takes for a second banner of the page.
    Modal: {
      defaultProps: { centered: true, radius: 'md', ...closable },
      styles: { title: { fontWeight: 650 } },
    },
    Drawer: { defaultProps: closable },
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Alert: { defaultProps: { variant: 'light', closeButtonLabel: 'Close' } },
    Notification: { defaultProps: closable },
  },
});

const TINTED = ['petrol', 'red', 'yellow', 'green', 'blue'] as const;

/** The `light` variants of the dark scheme: Mantine mixes them from shades that are nearly black here. */
const tintDark = (name: string, shades: MantineColorsTuple | undefined) => ({
  [`--mantine-color-${name}-light`]: `color-mix(in srgb, ${shades?.[4]} 17%, transparent)`,
  [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, ${shades?.[4]} 26%, transparent)`,
  [`--mantine-color-${name}-light-color`]: shades?.[2] ?? '',
});

/** Mantine's own dimmed text and placeholders are too faint for WCAG 2.2 AA. */
export const resolveVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fdfdfc',
    '--mantine-color-dimmed': '#586462',
    '--mantine-color-placeholder': '#66716f',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#0b6163',
  },
  dark: {
    ...Object.assign({}, ...TINTED.map((name) => tintDark(name, colors[name]))),
    '--mantine-color-dimmed': '#9fabaa',
    '--mantine-color-placeholder': '#93a09f',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': '#74c9c5',
  },
});
