// The theme of all Mantine components: dense, one bundled font, small radii, contrasts that pass WCAG 2.2 AA.
import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { colorsTuple, createTheme } from '@mantine/core';

/** The ten shades of a colour in Mantine. */
const shades = (list: string): MantineColorsTuple => colorsTuple(list.split(' '));

const colors = {
  // Petrol for actions, and greys with the same tint.
  petrol: shades('#e9f6f5 #d3eae9 #a5d5d3 #74bfbc #4dada9 #2f9692 #1c807e #0d6a6c #085658 #044345'),
  gray: shades('#f7f8f7 #eff1f0 #e3e7e5 #d2d8d6 #b4bdbb #8f9a98 #6b7775 #4c5856 #323c3b #1c2424'),
  // Mantine's scale for the dark scheme: text first, then lines, then surfaces.
  dark: shades('#d5dcdb #b3bdbc #95a1a0 #6d7a79 #425050 #334040 #233030 #141d1e #0f1718 #0a1011'),
  // Mantine's own shades have too little contrast behind white text, and as text on their light variants.
  red: shades('#fdeae7 #fad3ce #f3a8a0 #ec7b70 #e4564a #d73c30 #c42e24 #ad251c #8f1d16 #6f1510'),
  yellow: shades('#fdf6e7 #f9e9c8 #f0d08d #e6b654 #d99c25 #bf820c #a06a05 #7a4a00 #633c00 #4a2d00'),
  green: shades('#e9f7ee #cfeeda #9fdcb5 #6cc88d #45b56d #2c9c54 #228345 #1d6b3a #17552e #104023'),
  blue: shades('#eaf3fb #d0e4f6 #a2c9ec #72abe0 #4a90d4 #2f78c0 #2464a3 #1d5182 #174067 #102f4d'),
};

/** The build contains Inter in subsets that browsers load on demand. The other fonts are used until then, and for glyphs that it lacks. */
const FONTS =
  '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", sans-serif';
const MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, monospace';

/** Tooltips open on hover, focus and touch. */
const EVERYONE = { hover: true, focus: true, touch: true };
const small = { defaultProps: { size: 'xs' } };
const closable = { closeButtonProps: { 'aria-label': 'Close' } };

export const theme = createTheme({
  colors,
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  white: '#ffffff',
  black: '#151c1c',
  fontFamily: FONTS,
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
    PasswordInput: {
      defaultProps: {
        size: 'xs',
        visibilityToggleButtonProps: { 'aria-label': 'Show the password' },
      },
    },
    Textarea: small,
    Select: { defaultProps: { size: 'xs', allowDeselect: false, checkIconPosition: 'right' } },
    NativeSelect: small,
    MultiSelect: small,
    TagsInput: small,
    Autocomplete: small,
    Checkbox: small,
    Radio: small,
    Switch: small,
    // A transition between the colours of the two schemes would make the text unreadable for a moment.
    SegmentedControl: { defaultProps: { size: 'xs', transitionDuration: 0 } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: EVERYONE } },
    // The default <header> would be a second banner landmark of the page.
    Modal: {
      defaultProps: { centered: true, radius: 'md', ...closable },
      styles: { title: { fontWeight: 650 } },
    },
    Drawer: { defaultProps: { ...closable, position: 'right' } },
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    Alert: { defaultProps: { variant: 'light', closeButtonLabel: 'Close' } },
    Notification: { defaultProps: closable },
  },
});

const TINTED = ['petrol', 'red', 'yellow', 'green', 'blue'] as const;

/** The `light` variants of the dark scheme. Mantine derives them from shades that are nearly black here. */
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

// The content security policy allows only styles with the nonce.

declare global {
  /** Read by get-nonce, which the scroll lock of dialogs uses. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the service inserted into this page. */
export const readStyleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

globalThis.__webpack_nonce__ = readStyleNonce();
