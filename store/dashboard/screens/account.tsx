export default function Screen() { return <h1>dashboard/screens/account</h1> }
