<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>ClassBars</name>
        <message numerus="yes">
            <source>%n more classes</source>
            <translation>
                <numerusform>%n more classes</numerusform>
                <numerusform>%n more classes</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>MessageArea</name>
        <message numerus="yes">
            <source>%n more</source>
            <translation>
                <numerusform>%n more</numerusform>
                <numerusform>%n more</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ProcessCard</name>
        <message numerus="yes">
            <source>%n process(es)</source>
            <translation>
                <numerusform>%n process</numerusform>
                <numerusform>%n processes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>on %n GPU(s)</source>
            <translation>
                <numerusform>on %n GPU</numerusform>
                <numerusform>on %n GPUs</numerusform>
            </translation>
        </message>
    </context>
</TS>
