import { expect, test, waitForHydration } from './store.ts'

test('what was understood of a question stands as chips that are taken off one by one, and what comes only near is said', async ({
  page,
}) => {
  await page.goto('/allproducts?q=ddr5+ram+at+least+32gb')
  await waitForHydration(page)
  const chips = page.getByRole('list', { name: 'Filters that are set' }).getByRole('link', { name: /^Remove filter/ })
  await expect(chips).toHaveText([/Memory$/, /Memory type: DDR5/, /Capacity: 32 GB or more/])
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('"ddr5 ram at least 32gb"')
  await chips.filter({ hasText: 'Capacity' }).click()
  await page.waitForURL('**/allproducts?category=memory&spec.memory_type=DDR5')
  await expect(chips).toHaveText([/Memory type: DDR5/])

  await page.goto('/allproducts?q=ddr5+ram+at+least+32gb')
  await page.getByRole('link', { name: 'Search for the words "ddr5 ram at least 32gb" instead' }).click()
  await page.waitForURL('**/allproducts?q=ddr5+ram+at+least+32gb&read=no')

  await page.goto('/allproducts?q=crusial+ddr5+wifi99')
  await expect(page.getByText(/^(No exact match for|Nothing has)/)).toBeVisible()
  await page.goto('/allproducts?q=usb+stick')
  await expect(page.getByText('We have no such products as "usb stick".')).toBeVisible()
  await page.getByRole('list', { name: 'The nearest categories' }).getByRole('link').first().click()
  await page.waitForURL('**/allproducts?category=storage')
  await page.goto('/allproducts?q=ram+under+8gb+over+64gb')
  await expect(page.getByText('its limits exclude each other')).toBeVisible()
})

test('a question stays one in another look and order, and on its further pages', async ({ page }) => {
  const question = '"cheapest memory over 1gb"'
  await page.goto('/allproducts?q=cheapest+memory+over+1gb')
  await waitForHydration(page)
  const staysAsked = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(question)
    await expect(page.getByLabel('Search all tools').filter({ visible: true })).toHaveValue(question.replaceAll('"', ''))
  }
  await page.getByRole('list', { name: 'Look' }).getByRole('link', { name: 'Cards' }).click()
  await page.waitForURL(/look=cards/)
  await staysAsked()
  await page.getByRole('list', { name: 'Look' }).getByRole('link', { name: 'Table' }).click()
  await page.waitForURL(/look=table/)
  await expect(page.getByRole('columnheader', { name: 'Price', exact: true })).toBeVisible() // the list is in the new look, not on its way
  await page.getByLabel('Sort by').selectOption('name')
  await page.waitForURL(/sort=name/)
  await staysAsked()
  await page.getByRole('columnheader', { name: 'Price', exact: true }).getByRole('link').click()
  await page.waitForURL(/sort=price/)
  await staysAsked()

  await page.goto('/allproducts?q=cheapest+memory+over+1gb')
  await waitForHydration(page)
  await expect(page.getByLabel('Sort by')).toHaveValue('price')
  await page.getByLabel('Sort by').selectOption('')
  await page.waitForURL((url) => !url.searchParams.has('q') && url.searchParams.get('category') === 'memory') // its own order is taken away, and with it the question
  await expect(page.getByLabel('Sort by')).toHaveValue('')
})

test('the words of a question that are no filter are shown among the filters, and can be taken off', async ({ page }) => {
  await page.goto('/allproducts?q=ddr5+memory+trident')
  await waitForHydration(page)
  const chips = page.getByRole('list', { name: 'Filters that are set' }).getByRole('link', { name: /^Remove filter/ })
  const products = page.getByRole('main').getByRole('link', { name: /trident/i })
  await expect(products.first()).toBeVisible()
  await chips.filter({ hasText: 'Words: trident' }).click()
  await page.waitForURL('**/allproducts?category=memory&spec.memory_type=DDR5')
  await expect(chips).toHaveText([/Memory type: DDR5/])
})

test('what must not stand in a name is a filter like others: it is kept beside a choice, and taken away alone', async ({ page }) => {
  await page.goto('/allproducts?q=ddr5+memory+not+trident')
  await waitForHydration(page)
  const chips = page.getByRole('list', { name: 'Filters that are set' }).getByRole('link', { name: /^Remove filter/ })
  await expect(chips).toHaveText([/Memory$/, /Memory type: DDR5/, /Not in the name: trident/])
  await expect(page.locator('#products').getByRole('heading', { name: /trident/i })).toHaveCount(0)
  await page.getByRole('checkbox', { name: /^In stock/ }).check()
  await page.waitForURL(/in_stock=yes.*q\.not=trident/)
  await chips.filter({ hasText: 'Not in the name' }).click()
  await page.waitForURL((url) => !url.search.includes('q.not'))
  await expect(chips).toHaveText([/In stock/, /Memory type: DDR5/])
})
