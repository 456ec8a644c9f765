import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fontkit from 'fontkit'
import { unpackWoff } from './unpack-woff.ts'

export type FontWeight = 'normal' | 'bold'
/** `name`: by which a document knows that it has the font already */
export type DocumentFont = { name: string; font: fontkit.Font; hasCharacter: (character: string) => boolean }

function openFont(module: string): DocumentFont {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve(module)))
  const font = fontkit.create(module.endsWith('.woff') ? unpackWoff(bytes) : bytes)
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${module} is a collection of fonts`)
  const known = new Map<string, boolean>()
  const hasCharacter = (character: string): boolean => {
    const has = known.get(character) ?? font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
    known.set(character, has)
    return has
  }
  return { name: module, font, hasCharacter }
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
 * The font in which a text is written, and the text as that font can write it: characters that it lacks, such as Chinese ones, are
 * question marks, since PDF/A allows no text without a glyph. Lines stay lines.
 */
export function fitFont(text: string, weight: FontWeight): { font: DocumentFont; text: string } {
  const characters = [...text.replaceAll(/\s/g, (space) => (space === '\n' ? space : ' '))]
  const canBe =
    ({ hasCharacter }: DocumentFont) =>
    (character: string) =>
      character === '\n' || hasCharacter(character)
  const [shop, wide] = [shopFonts[weight], wideFonts[weight]]
  if (characters.every(canBe(shop))) return { font: shop, text: characters.join('') }
  return { font: wide, text: characters.map((character) => (canBe(wide)(character) ? character : '?')).join('') }
}
