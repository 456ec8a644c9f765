import { expect, type Locator } from '@playwright/test'

/** These words are drawn in red, as the light theme has it. */
export async function looksLikeAnError(words: Locator) {
  const [red = 0, green = 0, blue = 0] = await words.evaluate((element) =>
    (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number),
  )
  expect(red, `red beside green ${green} and blue ${blue}`).toBeGreaterThan(1.5 * Math.max(green, blue))
}
