import qrcode from 'qrcode-generator'

/** Modules around the code that have to be white. */
const quietModules = 4

/** Making a code takes 2 ms; of so many addresses it is kept, 400 bytes each. */
const maxKept = 4000
const kept = new Map<string, string>()

/**
 * A QR code as an image in a data URL of about 400 characters, made once as long as it is kept. A module is one pixel: it has to be shown
 * enlarged with `image-rendering: pixelated`.
 */
export function qrCodeDataUrl(text: string): string {
  const known = kept.get(text)
  if (known) return known
  const [oldest] = kept.keys()
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
  const code = qrcode(0, 'L') // as small as the text allows
  code.addData(text)
  code.make()
  const made = code.createDataURL(1, quietModules)
  kept.set(text, made)
  return made
}
