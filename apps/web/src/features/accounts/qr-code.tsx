// A QR code as one SVG path. Loaded only when it is shown.
import encodeQR from 'qr';
import { useMemo } from 'react';
import classes from './qr-code.module.css';

/** The margin that scanners need around the code (ISO/IEC 18004). */
const QUIET_MODULES = 4;

export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => draw(text), [text]);
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
};

/** A screen needs little error correction: fewer, larger squares are easier to scan. */
const draw = (text: string) => {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_MODULES });
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { path: squares.join(''), size: rows.length };
};
