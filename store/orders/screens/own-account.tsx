import { type OwnAccount, showOwnAccount, showOwnStatement } from '#store/orders/on-account/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/own-account'
import { OpenInvoices } from './open-invoices.tsx'
import { TotalsByAge } from './receivables.tsx'
import { StatementSheet, WhereToTransfer } from './statement-sheet.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'On Account | Nucleus of PC' }]

/** What the own company owes; with `paper=statement` what is printed of it. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [from, to, paper] = ['from', 'to', 'paper'].map((name) => searchParams.get(name))
  if (paper === 'statement') {
    const querystring = { ...(from && { from }), ...(to && { to }) }
    return { account: null, statement: await callApi(showOwnStatement, { querystring }).catch(rethrowAsNotFound) }
  }
  return { ...(await callApi(showOwnAccount, {})), statement: null }
}

export default function OnAccount({ loaderData: { account, statement } }: Route.ComponentProps) {
  if (statement) return <StatementSheet account={statement} params={{}} />
  if (account) return <OwnAccountView account={account} />
  return (
    <Page title="On Account">
      <p>
        Companies that the shop has approved pay the invoices of their parcels by bank. Nothing is approved for you: ask for it under{' '}
        <TextLink to="/help#contact">Contact</TextLink>, and name <TextLink to="/company">your company</TextLink>.
      </p>
    </Page>
  )
}

function OwnAccountView({
  account: { company, credit, owedCents, overdueCents, toGiveBackCents, byAge, invoices, bankAccount, leftToOrderCents },
}: {
  account: OwnAccount
}) {
  return (
    <Page
      title={`On Account, ${company.name}`}
      lead="What the company owes for what was ordered on account. An invoice comes with each parcel."
      wide
    >
      <p>
        <TextLink to="/dashboard/myorder?of=company">Orders of {company.name}</TextLink>
      </p>
      <TotalsByAge owedCents={owedCents} byAge={byAge} />
      <DescriptionList>
        <DescriptionItem name="May owe at most">
          <MoneyAmount amountCents={credit.limitCents} />
        </DescriptionItem>
        <DescriptionItem name="Left to order for">
          {overdueCents > 0 ? 'Nothing until what is overdue is paid' : <MoneyAmount amountCents={leftToOrderCents} />}
        </DescriptionItem>
        <DescriptionItem name="Invoices are due">
          {credit.dueDays === 1 ? '1 day' : `${credit.dueDays} days`} after the parcel is sent
        </DescriptionItem>
        {toGiveBackCents > 0 && (
          <DescriptionItem name="The shop gives back">
            <MoneyAmount amountCents={toGiveBackCents} />
          </DescriptionItem>
        )}
      </DescriptionList>
      {invoices.length > 0 ? (
        <>
          <OpenInvoices invoices={invoices} orderUrl={(id) => `/dashboard/myorder/${id}`} />
          {bankAccount && <WhereToTransfer bankAccount={bankAccount} />}
        </>
      ) : (
        <p>No invoice is left to pay.</p>
      )}
      <div>
        <ButtonLink variant="quiet" to={{ search: '?paper=statement' }}>
          Statement of account
        </ButtonLink>
      </div>
    </Page>
  )
}
