import type { Page, Route } from '@playwright/test'
import { isFullRun } from '../proof/full-run.ts'
import { adminCredentials, expect, fillPurchaseForm, placePurchase, registerByApi, signIn, signInAsAdmin, test } from './store.ts'

type Buyer = { name: string; email: string; password: string }
type Form = {
  /** what the person does */
  name: string
  /** who does it */
  who: 'visitor' | 'customer' | 'admin'
  /** the call that it makes */
  call: RegExp
  fill(page: Page, buyer: Buyer): Promise<void>
  button: RegExp
  /** the button of the dialog that asks before it is done, if one does */
  confirm?: RegExp
  /** what was typed, by its label */
  typed: Record<string, string>
}

const toolOf = async (page: Page) => ((await (await page.request.get('/api/tools')).json()) as { _id: string }[])[0]?._id

test.describe.configure({ mode: 'parallel' }) // none looks at what another has left

/** Every form of the store but those of the page Prices (own-prices.spec.ts). One that is missing here is not shown to survive trouble. */
const forms: Form[] = [
  {
    name: 'signing in',
    who: 'visitor',
    call: /\/api\/auth\/sign-in\/email$/,
    async fill(page, buyer) {
      await page.goto('/login')
      await page.getByLabel('E-mail').fill(buyer.email)
      await page.getByLabel('Password', { exact: true }).fill(buyer.password)
    },
    button: /^Login$/,
    typed: { 'E-mail': '@shop.example', Password: 'correct horse' },
  },
  {
    name: 'registering',
    who: 'visitor',
    call: /\/api\/auth\/sign-up\/email$/,
    async fill(page, buyer) {
      await page.goto('/register')
      await page.getByLabel('Full name').fill(buyer.name)
      await page.getByLabel('E-mail').fill(buyer.email)
      await page.getByLabel('Password', { exact: true }).fill(buyer.password)
    },
    button: /^Register$/,
    typed: { 'Full name': 'Ada Byron', 'E-mail': '@shop.example', Password: 'correct horse' },
  },
  {
    name: 'asking for a new password',
    who: 'visitor',
    call: /\/api\/auth\/request-password-reset$/,
    async fill(page, buyer) {
      await page.goto('/login')
      await page.getByLabel('E-mail').fill(buyer.email)
    },
    button: /^Reset Password$/,
    typed: { 'E-mail': '@shop.example' },
  },
  {
    name: 'setting a new password',
    who: 'visitor',
    call: /\/api\/auth\/reset-password$/,
    async fill(page, buyer) {
      await page.goto('/reset-password#a-token')
      await page.getByLabel('New password', { exact: true }).fill(buyer.password)
    },
    button: /^Set the new password$/,
    typed: { 'New password': 'correct horse' },
  },
  {
    name: 'ordering',
    who: 'customer',
    call: /\/api\/purchase$/,
    fill: async (page) => fillPurchaseForm(page, await toolOf(page)),
    button: /^Order \d/,
    typed: { Address: '12 Analytical Road', 'Phone number': '+44 20 7946' },
  },
  {
    name: 'adding a product',
    who: 'admin',
    call: /\/api\/tools$/,
    async fill(page) {
      await page.goto('/dashboard/addatool')
      await page.getByLabel('Product Name').fill('Bench vise 80 mm')
      await page.getByLabel('Product Image').fill('/drawings/pliers.svg')
      await page.getByLabel('Product Description').fill('Holds a board by its edges.')
      await page.getByLabel('Product Price').fill('16')
      await page.getByLabel('Minimum Order Quantity').fill('10')
      await page.getByLabel('Available Quantity').fill('1,250')
    },
    button: /^Add$/,
    typed: { 'Product Name': 'Bench vise', 'Product Description': 'by its edges', 'Product Price': '16', 'Available Quantity': '1,250' },
  },
  {
    name: 'updating a product',
    who: 'admin',
    call: /\/api\/tools\/[\w-]+$/,
    async fill(page) {
      await page.goto(`/instrument/${await toolOf(page)}`)
      await page.getByLabel('Product Price').fill('77')
      await page.getByLabel('Available Quantity').fill('1,250')
    },
    button: /^Update product$/,
    typed: { 'Product Price': '77', 'Available Quantity': '1,250' },
  },
  {
    name: 'updating the profile',
    who: 'customer',
    call: /\/api\/users\//,
    async fill(page) {
      await page.goto('/dashboard')
      await page.getByLabel('Image URL').fill('/drawings/crimper.svg')
      await page.getByLabel('Education').fill('Mathematics')
      await page.getByLabel('Location').fill('London')
      await page.getByLabel('Phone').fill('0171 987')
      await page.getByLabel('LinkedIn profile link').fill('linkedin.com/in/ada')
    },
    button: /^Update Profile$/,
    typed: { Education: 'Mathematics', Location: 'London', Phone: '0171 987', 'LinkedIn profile link': 'linkedin.com/in/ada' },
  },
  {
    name: 'posting a review',
    who: 'customer',
    call: /\/api\/reviews$/,
    async fill(page, buyer) {
      await page.goto('/dashboard/addreview')
      await page.getByLabel('Say About Our Company').fill(`Counted and complete, says ${buyer.email}.`)
      await page.getByLabel('As a figure').selectOption('4.5')
    },
    button: /^Post Review$/,
    typed: { 'Say About Our Company': 'Counted and complete', 'As a figure': '4.5' },
  },
  {
    name: 'refunding',
    who: 'admin',
    call: /\/api\/purchase\/[\w-]+\/refund$/,
    async fill(page, buyer) {
      const { _id } = await placePurchase(page.request, new URL(page.url()).origin, buyer, { paid: true })
      await page.goto(`/dashboard/order/${_id}`)
      await page.getByLabel('Amount').fill('12.50')
      await page.getByLabel('Pieces back into stock').fill('1')
      await page.getByLabel('Reason of the refund').fill('One of them came bent')
    },
    button: /^Refund/,
    confirm: /^Refund \$12\.50$/,
    typed: { Amount: '12.50', 'Pieces back into stock': '1', 'Reason of the refund': 'came bent' },
  },
  {
    name: 'cancelling an order',
    who: 'admin',
    call: /\/api\/purchase\/[\w-]+\/cancel$/,
    async fill(page, buyer) {
      const { _id } = await placePurchase(page.request, new URL(page.url()).origin, buyer)
      await page.goto(`/dashboard/order/${_id}`)
      await page.getByLabel('Reason of the cancellation').fill('The maker has called these back')
    },
    button: /^Cancel order$/,
    confirm: /^Cancel order \d+$/,
    typed: { 'Reason of the cancellation': 'called these back' },
  },
]

/** The button that sends the form: its own, or that of the dialog which its own opens. */
async function sendButton(page: Page, { button, confirm }: Form) {
  const own = page.getByRole('button', { name: button })
  if (!confirm) return own
  await own.click()
  return page.getByRole('alertdialog').getByRole('button', { name: confirm })
}
const press = async (page: Page, form: Form) => (await sendButton(page, form)).click()

async function come(page: Page, { who }: Form, buyer: Buyer) {
  if (who === 'customer') await registerByApi(page, buyer)
  if (who === 'admin') await signInAsAdmin(page, { anew: true }) // which the journey ends
}

/** Each in words of its own: those of the one before still stand when the form is sent again. */
const refusals: Record<string, { answer: (route: Route) => Promise<void>; words: RegExp }> = {
  'while offline': { answer: (route) => route.abort(), words: /cannot be reached/ },
  'when the store fails': {
    answer: (route) => route.fulfill({ status: 500, json: { message: 'The books are being moved' } }),
    words: /The books are being moved/,
  },
  'when something before the store fails': {
    answer: (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }),
    words: /went wrong on our side/,
  },
}

/** In a sample one form of a visitor and one of a customer, which meet the troubles in turns. */
const triedForms = isFullRun ? forms : forms.filter(({ name }) => ['signing in', 'ordering'].includes(name))

for (const [nth, form] of triedForms.entries()) {
  const signedIn = form.who !== 'visitor'
  const met = Object.entries(refusals).filter((_, of) => isFullRun || of % triedForms.length === nth)
  test(`I2 ${form.name}: trouble is told in words and keeps what was typed${signedIn ? ', an ended sign-in too' : ''}, and a second press does nothing while one is under way`, async ({
    page,
    buyer,
  }) => {
    await come(page, form, buyer)
    await form.fill(page, buyer)
    const told = (words: RegExp | string) => page.getByRole('main').getByRole('alert').filter({ hasText: words })
    const expectTyped = async (when: string) => {
      for (const [label, value] of Object.entries(form.typed))
        await expect(page.getByLabel(label, { exact: label === 'Password' || label === 'New password' }), when).toHaveValue(
          new RegExp(value.replaceAll('+', '\\+')),
        )
    }

    let asked = 0
    const { promise: wait, resolve: answer } = Promise.withResolvers<void>()
    await page.route(form.call, async (route) => {
      asked++
      await wait
      await route.fulfill({ status: 503, json: { message: 'Enough of waiting' } })
    })
    const button = page.locator('button[aria-busy=true]')
    await (await sendButton(page, form)).dblclick()
    await expect(button).toHaveAttribute('disabled')
    await expect(button).toHaveText(/ing/)
    answer()
    await expect(told('Enough of waiting')).toBeVisible()
    expect(asked).toBe(1)
    await page.unroute(form.call)

    for (const [when, { answer, words }] of met) {
      await page.route(form.call, answer)
      await press(page, form)
      await expect(told(words), when).toBeVisible()
      await expectTyped(when)
      await page.unroute(form.call)
    }

    if (signedIn) {
      await page.evaluate(async () => {
        const authorization = `Bearer ${localStorage.getItem('accessToken')}`
        await fetch('/api/auth/sign-out', { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' })
      })
      await press(page, form)
      await expect(told('Your sign-in has ended')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Sign in and go on' }).click()
      await signIn(page, form.who === 'admin' ? adminCredentials : buyer)
      await expectTyped('after signing in again')
    }

    asked = 0
    await page.route(form.call, (route) => {
      if (route.request().method() !== 'GET') asked++
      return route.continue()
    })
    await press(page, form)
    await expect.poll(() => asked).toBe(1)
  })
}
