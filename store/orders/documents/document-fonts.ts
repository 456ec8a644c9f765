import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'

export type FontWeight = 'normal' | 'bold'
type DocumentFont = { file: string; hasCharacter: (character: string) => boolean }

const fileOf = (module: string): string => fileURLToPath(import.meta.resolve(module))

function openFont(module: string): DocumentFont {
  const file = fileOf(module)
  const font = fontkit.openSync(file)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${module} is a collection of fonts`)
  return { file, hasCharacter: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) }
}

/** That of the shop's pages, which has Western European letters, and one that has Latin, Greek and Cyrillic whole. */
const shopFonts: Record<FontWeight, DocumentFont> = {
  normal: openFont('@fontsource/geist/files/geist-latin-400-normal.woff'),
  bold: openFont('@fontsource/geist/files/geist-latin-600-normal.woff'),
}
const wideFonts: Record<FontWeight, DocumentFont> = {
  normal: openFont('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: openFont('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
}

/**
 * The file of the font in which a text is written, and the text as that font can write it: characters that it lacks, such as Chinese ones, are
 * question marks, since PDF/A allows no text without a glyph. Lines stay lines.
 */
export function fitFont(text: string, weight: FontWeight): { file: string; text: string } {
  const characters = [...text.replaceAll(/\s/g, (space) => (space === '\n' ? space : ' '))]
  const canBe =
    ({ hasCharacter }: DocumentFont) =>
    (character: string) =>
      character === '\n' || hasCharacter(character)
  const [shop, wide] = [shopFonts[weight], wideFonts[weight]]
  if (characters.every(canBe(shop))) return { file: shop.file, text: characters.join('') }
  return { file: wide.file, text: characters.map((character) => (canBe(wide)(character) ? character : '?')).join('') }
}
