// What opens over a page, loaded on first use.
export { KeysDialog } from './keys-dialog.tsx';
export { Palette } from './palette.tsx';
