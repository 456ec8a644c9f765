import type { Page } from '@playwright/test'
import { fullRunJourney } from '../proof/full-run.ts'
import { expect, openUntilQuiet, registerByForm, test, waitForHydration } from './store.ts'

const products = (page: Page) => page.locator('#products').locator('article, tbody tr')
const addButton = (page: Page, nth: number) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Add [\d,]+ to the basket/ })
    .nth(nth)
const lines = (page: Page) => page.getByRole('list', { name: 'Lines of the basket' }).locator('> li')
const basketLink = (page: Page) => page.getByRole('link', { name: /^Basket/ }).and(page.locator(':visible'))

test('a visitor fills the basket from a list and a product, changes it, shares it, and finds it after signing in', async ({
  page,
  buyer,
  browser,
}) => {
  await openUntilQuiet(page, '/allproducts?category=memory')
  await addButton(page, 0).click()
  await expect(
    page
      .getByRole('status')
      .or(page.getByRole('dialog'))
      .filter({ hasText: /in your basket/ })
      .first(),
  ).toBeVisible()
  await addButton(page, 1).click()
  await expect(basketLink(page)).toHaveText(/2$/)
  await products(page).nth(2).getByRole('heading').getByRole('link').click()
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(page.getByRole('main')).toContainText('in your basket To the basket')
  await page.getByRole('link', { name: 'To the basket' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Basket' })).toBeVisible()
  await expect(lines(page)).toHaveCount(3)
  const quantity = lines(page)
    .first()
    .getByLabel(/^Quantity/)
  const before = Number(await quantity.inputValue())
  const total = page.getByRole('complementary', { name: 'Total' })
  const totalBefore = await total.textContent()
  await quantity.fill(`${before + 1}`)
  await quantity.press('Enter')
  await expect(total).not.toHaveText(totalBefore ?? '')
  await quantity.fill('999999')
  await quantity.blur()
  await expect(lines(page).first()).toContainText(/You can't order more than/)
  await quantity.fill('ten')
  await quantity.blur()
  await expect(lines(page).first()).toContainText(`Enter a whole number of pieces: it stays at ${before + 1}`)
  await page.reload()
  await waitForHydration(page)
  await expect(
    lines(page)
      .first()
      .getByLabel(/^Quantity/),
  ).toHaveValue(`${before + 1}`)
  await lines(page)
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(lines(page)).toHaveCount(2)
  await expect(basketLink(page)).toHaveText(/2$/)

  await page.getByText('Quick order: paste part numbers').click()
  await page.getByLabel('Part numbers and quantities').fill('NP-0004\t6\nNO-SUCH-PART 3')
  await page.getByRole('button', { name: 'Put into the basket' }).click()
  await expect(page.getByRole('main')).toContainText('1 line put into the basket, 1 not')
  await expect(page.getByLabel('Part numbers and quantities')).toHaveValue('NO-SUCH-PART 3')
  await expect(lines(page)).toHaveCount(3)

  await page.getByRole('button', { name: 'Share as a link' }).click()
  const link = await page
    .getByRole('main')
    .getByRole('link', { name: /cart\/shared/ })
    .getAttribute('href')
  const other = await (await browser.newContext()).newPage()
  await other.goto(link ?? '')
  await expect(other.getByRole('main')).toContainText('Knipex PreciForce')
  await other.getByRole('button', { name: 'Put all into my basket' }).click()
  await expect(lines(other)).toHaveCount(3)

  await registerByForm(page, buyer)
  await page.goto('/cart')
  await waitForHydration(page)
  await expect(lines(page)).toHaveCount(3)
  await page.getByLabel('Save this basket as').fill('Workshop')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = page.getByRole('region', { name: 'Saved baskets' })
  await expect(saved.getByRole('listitem')).toContainText(/^Workshop 3 lines, saved/)
  await lines(page)
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(lines(page)).toHaveCount(2)
  await saved.getByRole('button', { name: 'Put Workshop into the basket' }).click()
  await expect(saved).toContainText('Workshop was added to what is in your basket')
  await expect(lines(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(basketLink(page)).toHaveText('Basket')
  await page.goto('/cart')
  await expect(page.getByRole('main')).toContainText('Your basket is empty')
})

test('a list that is pasted without JavaScript is answered by the basket, with what was not put in and why', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    ...{ javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
    ...(baseURL && { baseURL }),
  })
  const page = await context.newPage()
  await page.goto('/cart')
  await page.getByText('Quick order: paste part numbers').click()
  await page.getByLabel('Part numbers and quantities').fill('NP-0004 6\nNO-SUCH-PART 3')
  await page.getByRole('button', { name: 'Put into the basket' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Basket' })).toBeVisible()
  await expect(lines(page)).toHaveCount(1)
  const told = page.getByRole('status').filter({ hasText: '1 line put into the basket, 1 not' })
  await expect(told).toContainText('NO-SUCH-PART 3: No part has this number')
  await expect(told).toBeInViewport()
  await expect(page.getByLabel('Part numbers and quantities')).toHaveValue('NO-SUCH-PART 3')
  await context.close()
})

test('without JavaScript the basket is filled, changed and emptied by forms', fullRunJourney, async ({ browser, baseURL }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })).newPage()
  await page.goto('/allproducts?category=memory')
  await addButton(page, 0).click()
  await expect(lines(page)).toHaveCount(1)
  await page
    .getByRole('link', { name: /^Basket/ })
    .first()
    .isVisible()
  await lines(page).first().getByRole('heading').getByRole('link').click()
  await page.getByLabel('Quantity').fill('999999')
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(page.getByRole('alert')).toContainText(/You can't order more than/)
  await page.getByRole('link', { name: 'To the product' }).click()
  await expect(page.getByLabel('Quantity')).toHaveValue('999999')
  await page.goto('/cart')
  const quantity = lines(page)
    .first()
    .getByLabel(/^Quantity/)
  const more = Number(await quantity.inputValue()) * 2
  await quantity.fill(`${more}`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(
    lines(page)
      .first()
      .getByLabel(/^Quantity/),
  ).toHaveValue(`${more}`)
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByRole('main')).toContainText('Your basket is empty')
})

test('what is pasted into an empty basket is costed at once, for who has chosen a country before', async ({ page }) => {
  await page.goto('/cart?country=DE')
  await page.goto('/cart')
  await waitForHydration(page)
  await page.getByText('Quick order: paste part numbers').click()
  await page.getByLabel('Part numbers and quantities').fill('NP-0004 6')
  await page.getByRole('button', { name: 'Put into the basket' }).click()
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByRole('status', { name: 'Costs' })).toContainText(/Total\$[1-9]/)
})
