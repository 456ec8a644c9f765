import { expect, type Locator } from '@playwright/test'

/** That these words are seen in red, or in green: of the three parts of their colour that one is the strongest. */
export async function expectColour(words: Locator, colour: 'red' | 'green') {
  const [red = 0, green = 0, blue = 0] = await words.evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? [])
  const strongest = Math.max(red, green, blue)
  expect(strongest === red ? 'red' : strongest === green ? 'green' : 'blue', `${await words.textContent()}`).toBe(colour)
}

/** The contrast of two colours as the browser says them, `rgb(1, 2, 3)`: 1 to 21, by WCAG 2.2. */
export function contrastRatio(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const parts = colour.match(/\d+/g) ?? []
  const [red = 0, green = 0, blue = 0] = parts
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
