<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>CloseQuestion</name>
        <message numerus="yes">
            <source>%n training(s) still running: {names}</source>
            <translation>
                <numerusform>%n training still running: {names}</numerusform>
                <numerusform>%n trainings still running: {names}</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>WindowFacts</name>
        <message numerus="yes">
            <source>%n GPU(s)</source>
            <translation>
                <numerusform>%n GPU</numerusform>
                <numerusform>%n GPUs</numerusform>
            </translation>
        </message>
    </context>
</TS>
