<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>AnswerColumn</name>
        <message numerus="yes">
            <source>%n line(s)</source>
            <translation>
                <numerusform>%n line</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n line(s), not recognised</source>
            <translation>
                <numerusform>%n line, not recognised</numerusform>
                <numerusform>%n lines, not recognised</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n message(s)</source>
            <translation>
                <numerusform>%n message</numerusform>
                <numerusform>%n messages</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>FindingBody</name>
        <message numerus="yes">
            <source>%n other way(s)</source>
            <translation>
                <numerusform>%n other way</numerusform>
                <numerusform>%n other ways</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LogCard</name>
        <message numerus="yes">
            <source>%n line(s)</source>
            <translation>
                <numerusform>%n line</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>LogModel</name>
        <message numerus="yes">
            <source>%n further line(s)</source>
            <translation>
                <numerusform>%n further line</numerusform>
                <numerusform>%n further lines</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n harmless line(s)</source>
            <translation>
                <numerusform>%n harmless line</numerusform>
                <numerusform>%n harmless lines</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MachineCard</name>
        <message numerus="yes">
            <source>Ruled out by this machine: %n other cause(s) with the same words</source>
            <translation>
                <numerusform>Ruled out by this machine: %n other cause with the same words</numerusform>
                <numerusform>Ruled out by this machine: %n other causes with the same words</numerusform>
            </translation>
        </message>
    </context>
</TS>
