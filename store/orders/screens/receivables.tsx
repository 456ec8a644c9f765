import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type Age, ages, type ByAge, listReceivables, type Receivable, showCompanyAccount } from '#store/orders/on-account/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Field } from '#web/field.tsx'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/receivables'
import { CompanyAccountView } from './company-account.tsx'
import { ReminderSettings } from './reminder-settings.tsx'
import { StatementSheet } from './statement-sheet.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.account ? `${loaderData.account.company.name}, ` : ''}Receivables | Nucleus of PC` },
]

/** The companies or, with `company` in the address, the account of one, of which `paper=statement` is what is printed. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [company, q, cursor, from, to, paper] = ['company', 'q', 'cursor', 'from', 'to', 'paper'].map((name) => searchParams.get(name))
  if (!company)
    return { list: await callApi(listReceivables, { querystring: { ...(q && { q }), ...(cursor && { cursor }) } }).catch(forOwnersOnly) }
  const querystring = { ...(from && { from }), ...(to && { to }) }
  const account = await callApi(showCompanyAccount, { params: { id: company }, querystring }).catch(rethrowAsNotFound)
  return { account, isPaper: paper === 'statement' }
}

/** @returns undefined: the admin is no owner */
function forOwnersOnly(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error
}

export default function Receivables({ loaderData: { list, account, isPaper } }: Route.ComponentProps) {
  if (account && isPaper) return <StatementSheet account={account} params={{ company: account.company._id }} />
  if (account) return <CompanyAccountView key={account.company._id} account={account} />
  return list ? (
    <ReceivablesList list={list} />
  ) : (
    <Page title="Receivables">
      <p>Owners of the store see who owes what.</p>
    </Page>
  )
}

type ListProps = { list: NonNullable<Awaited<ReturnType<typeof clientLoader>>['list']> }

function ReceivablesList({ list: { companies, next, total, reminderDays } }: ListProps) {
  const [search] = useSearchParams()
  const table = useRef<HTMLDivElement>(null)
  return (
    <Page title="Receivables" lead="What companies owe for orders on account, by how many days it is overdue, and who may order so." wide>
      <TotalsByAge owedCents={total.owedCents} byAge={total.byAge} />
      <GetForm className="flex max-w-form items-end gap-3">
        <div className="grow">
          <Field label="Company" name="q" type="search" defaultValue={search.get('q') ?? ''} autoComplete="off" />
        </div>
        <Button type="submit" variant="quiet">
          Search
        </Button>
      </GetForm>
      {companies.length === 0 ? (
        <EmptyState illustration="no-orders" title={search.has('q') ? 'No company has this in its name' : 'No companies yet'}>
          Companies stand here once their buyers have founded them, under My Company.
        </EmptyState>
      ) : (
        <CompaniesTable companies={companies} tableRef={table} />
      )}
      <KeyPagination
        label="Pages of companies"
        isFirstPage={!search.has('cursor')}
        names={['cursor']}
        next={next === null ? undefined : { cursor: next }}
        list={table}
      />
      <ReminderSettings days={reminderDays} />
    </Page>
  )
}

const ageLabels: Record<Age, string> = {
  'not invoiced': 'Not sent yet',
  'not due': 'Not due',
  '1-30': 'Overdue 1 to 30 days',
  '31-60': '31 to 60 days',
  '61-90': '61 to 90 days',
  'over 90': 'Over 90 days',
}

/** What is owed, by how long it has been due. */
export const TotalsByAge = ({ owedCents, byAge }: { owedCents: number; byAge: ByAge }) => (
  <dl className="flex flex-wrap gap-x-8 gap-y-3">
    <div>
      <dt className="text-sm text-soft">Owed</dt>
      <dd className="text-xl font-semibold">
        <MoneyAmount amountCents={owedCents} />
      </dd>
    </div>
    {ages.map((age) => (
      <div key={age}>
        <dt className="text-sm text-soft">{ageLabels[age]}</dt>
        <dd className="text-lg">
          <MoneyAmount amountCents={byAge[age]} />
        </dd>
      </div>
    ))}
  </dl>
)

function CompaniesTable({ companies, tableRef }: { companies: Receivable[]; tableRef: React.RefObject<HTMLDivElement | null> }) {
  return (
    <Table
      ref={tableRef}
      caption="Companies, those that owe most first"
      columns={[
        { label: 'Company' },
        { label: 'May owe', isNumeric: true },
        { label: 'Owes', isNumeric: true },
        ...ages.map((age) => ({ label: ageLabels[age], isNumeric: true })),
      ]}
    >
      {companies.map(({ company, credit, owedCents, toGiveBackCents, byAge }) => (
        <Row key={company._id}>
          <Cell label="Company" isRowHeader>
            <TextLink to={{ search: `?company=${company._id}` }}>{company.name}</TextLink>
            {toGiveBackCents > 0 && (
              <span className="block font-normal text-soft">
                <MoneyAmount amountCents={toGiveBackCents} /> to give back
              </span>
            )}
          </Cell>
          <Cell label="May owe" isNumeric>
            {credit ? <MoneyAmount amountCents={credit.limitCents} /> : 'nothing'}
          </Cell>
          <Cell label="Owes" isNumeric>
            <MoneyAmount amountCents={owedCents} />
          </Cell>
          {ages.map((age) => (
            <Cell key={age} label={ageLabels[age]} isNumeric>
              <MoneyAmount amountCents={byAge[age]} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  )
}
