import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The screen as it stands has no fault that axe finds, and does not scroll sideways on a small phone. */
export async function expectNoFault(page: Page, where: string) {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
  expect(violations.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html}`)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBe(320)
  await page.setViewportSize({ width: 1280, height: 900 })
}
