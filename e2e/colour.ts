import { expect, type Locator } from '@playwright/test'

/** That these words are seen in red, or in green: of the three parts of their colour that one is the strongest. */
export async function expectColour(words: Locator, colour: 'red' | 'green') {
  const [red = 0, green = 0, blue = 0] = await words.evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? [])
  const strongest = Math.max(red, green, blue)
  expect(strongest === red ? 'red' : strongest === green ? 'green' : 'blue', `${await words.textContent()}`).toBe(colour)
}
