import { fullRunJourney } from '../proof/full-run.ts'
import { startBuiltStore } from './built-store.ts'
import { expect, fillCardForm, fillPurchaseForm, registerByApi, signInAsAdmin, test } from './store.ts'

test(
  'a store that is started in euros shows, filters, sells and refunds in euros, on the server and in the browser alike',
  fullRunJourney,
  async ({ browser, buyer }) => {
    await using opened = new AsyncDisposableStack()
    const { address } = await startBuiltStore(opened, { CURRENCY: 'EUR' })
    const page = await browser.newPage({ baseURL: address })
    const main = page.getByRole('main')
    const { tools }: { tools: { _id: string; name: string; price: number }[] } = await (
      await page.request.get(`${address}/api/search?in_stock=yes&price.min=100&limit=1`)
    ).json()
    const [tool] = tools
    if (!tool) throw new Error('Nothing costs 100 or more')

    await page.goto(`/products/${tool._id}`)
    await expect(main).toContainText(`€${tool.price.toLocaleString('en-US')}`)
    expect(await page.locator('script[type="application/ld+json"]').first().innerText()).toContain('"priceCurrency":"EUR"')
    await page.goto('/allproducts?price.min=€100')
    await expect(main).toContainText('Price: €100 or more')
    await expect(main.getByLabel('from €')).toHaveValue('€100')
    await expect(main).not.toContainText('$')
    await page.goto('/home')
    await expect(main).not.toContainText('$')

    await registerByApi(page, buyer)
    await fillPurchaseForm(page, tool._id)
    await page.getByRole('button', { name: /^Order \d+ for €/ }).click()
    await page.getByRole('link', { name: /^Pay €/ }).click()
    await fillCardForm(page, '4242 4242 4242 4242')
    await page.getByRole('button', { name: /^Pay €/ }).click()
    await expect(page.getByText('Payment successfully done...')).toBeVisible()
    await expect(main).not.toContainText('$')

    const office = await browser.newPage({ baseURL: address })
    await signInAsAdmin(office, { anew: true }) // the other journeys have the session of another store
    await office.goto('/dashboard/manageallorders')
    await office.getByRole('row').filter({ hasText: buyer.email }).getByRole('link').first().click()
    const order = office.getByRole('main')
    await order.getByLabel('Amount').fill('$5')
    await order
      .getByRole('button', { name: /^Refund/ })
      .first()
      .click()
    await expect(order.getByLabel('Amount')).toHaveAccessibleDescription(/Enter an amount like 16/)
    await order.getByLabel('Amount').fill('€5')
    await order.getByLabel('Reason').first().fill('A scratch')
    await order.getByRole('button', { name: 'Refund €5' }).click()
    await office.getByRole('alertdialog').getByRole('button', { name: 'Refund €5' }).click()
    await expect(order).toContainText(/€5 of order \d+ refunded/)
    await expect(order).not.toContainText('$')
  },
)
