<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>CardsBlock</name>
        <message numerus="yes">
            <source>%n GPU(s)</source>
            <translation>
                <numerusform>%n GPU</numerusform>
                <numerusform>%n GPUs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n not read</source>
            <translation>
                <numerusform>%n not read</numerusform>
                <numerusform>%n not read</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>EnvironmentsBlock</name>
        <message numerus="yes">
            <source>{shown} of %n environment(s)</source>
            <translation>
                <numerusform>{shown} of %n environment</numerusform>
                <numerusform>{shown} of %n environments</numerusform>
            </translation>
        </message>
    </context>
</TS>
