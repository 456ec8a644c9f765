import { useRevalidator } from 'react-router'
import { type CompanyAddress, listCompanyAddresses } from '#store/companies/address-contract.ts'
import {
  type Company,
  type CompanyInvitation,
  type CompanyMember,
  changeCompany,
  foundCompany,
  listCompanyInvitations,
  listCompanyMembers,
  showCompany,
} from '#store/companies/contract.ts'
import { showVerificationStatus } from '#store/identity/contract.ts'
import { callApi } from '#web/call-api.ts'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import type { Route } from './+types/company'
import { AddressesSection } from './addresses-section.tsx'
import { CompanyForm } from './company-form.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { MembersSection } from './members-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'My Company | Nucleus of PC' }]

/** `invitations` are for managers; `isVerified`: whether the account can invite. */
type LoadedCompany = {
  company: Company
  members: CompanyMember[]
  addresses: CompanyAddress[]
  invitations: CompanyInvitation[]
  isVerified: boolean
}

export async function clientLoader(): Promise<LoadedCompany | { company: null }> {
  const { company } = await callApi(showCompany, {})
  if (!company) return { company: null }
  const [{ members }, { addresses }, { invitations }, { verified: isVerified }] = await Promise.all([
    callApi(listCompanyMembers, {}),
    callApi(listCompanyAddresses, {}),
    company.role === 'manager' ? callApi(listCompanyInvitations, {}) : { invitations: [] },
    callApi(showVerificationStatus, {}),
  ])
  return { company, members, addresses, invitations, isVerified }
}

export default function MyCompany({ loaderData }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  if (!loaderData.company) return <NoCompany onFounded={revalidate} />
  const { company, members, addresses, invitations, isVerified } = loaderData
  const isManager = company.role === 'manager'
  return (
    <Page title={company.name} lead="What you order is the order of the company: its members see it, and can pay and cancel it." wide>
      <div className="flex flex-col gap-12">
        <section aria-labelledby="company" className="flex flex-col gap-4">
          <h2 id="company" className="text-xl">
            The company
          </h2>
          <TextLink to="/dashboard/myorder?of=company">Orders of {company.name}</TextLink>
          {isManager ? (
            <CompanyForm
              key={`${company.name} ${company.vatId}`}
              start={company}
              submitLabel="Save"
              variant="quiet"
              send={(body) => callApi(changeCompany, { body })}
              onSaved={async ({ name }) => {
                toast('Saved', { detail: name })
                await revalidate()
              }}
            />
          ) : (
            <DescriptionList>
              <DescriptionItem name="Name">{company.name}</DescriptionItem>
              <DescriptionItem name="VAT id">{company.vatId ?? 'none'}</DescriptionItem>
            </DescriptionList>
          )}
        </section>
        <MembersSection company={company} members={members} onChanged={revalidate} />
        {isManager && <InvitationsSection invitations={invitations} isVerified={isVerified} onChanged={revalidate} />}
        <AddressesSection addresses={addresses} isManager={isManager} onChanged={revalidate} />
      </div>
    </Page>
  )
}

function NoCompany({ onFounded }: { onFounded: () => Promise<void> }) {
  return (
    <Page
      title="My Company"
      lead="Colleagues who buy for one company share its addresses and orders here. You can be in one company at a time."
    >
      <p>
        Somebody has invited you? Open the link in their mail. Else found the company and invite the others. What you have ordered so far
        stays yours alone; what you order from then on, all of its members see.
      </p>
      <CompanyForm
        start={{ name: '', vatId: null }}
        submitLabel="Found the company"
        variant="action"
        send={(body) => callApi(foundCompany, { body })}
        onSaved={async ({ name }) => {
          toast('Company founded', { detail: name })
          await onFounded()
        }}
      />
    </Page>
  )
}
